/** The kinds of browser that a crawl may use, each with a renderer over it: for tests that compare them. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { inPath } from '../../browsers/browser-places.mjs';
import { browserEnvironment, findBrowser, type FoundBrowser } from '../../browsers/launch/find-browser.ts';

const signal = new AbortController().signal;
const environment = browserEnvironment(process.env, process.platform, homedir());

/** Flags of other people who start a browser; none of ours. */
const FOREIGN_FLAGS = ['--headless', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage', '--no-sandbox'];

interface Endpoint extends AsyncDisposable {
  readonly url: string;
}

/** A full Chromium or Chrome of this machine; null if there is none. */
export function fullChrome(): string | null {
  for (const name of ['chromium', 'google-chrome', 'google-chrome-stable']) {
    const path = inPath(environment.path, name);
    if (path !== null) return path;
  }
  return null;
}

async function shellPath(): Promise<string> {
  const found = await findBrowser({ asked: null, environment }, signal);
  if (found.kind !== 'executable') throw new Error('an endpoint');
  return found.path;
}

/** A browser that somebody else has started, with the DevTools protocol at a port. */
export async function openCdpEndpoint(flags: readonly string[] = [], program: string | null = null): Promise<Endpoint> {
  const profile = await mkdtemp(join(tmpdir(), 'orbweaver-foreign-'));
  const started = spawn(
    program ?? (await shellPath()),
    [...FOREIGN_FLAGS, ...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => started.once('exit', resolve));
  const port = await new Promise<string>((resolve, reject) => {
    started.once('exit', () => reject(new Error('the browser ended')));
    createInterface(started.stderr).on('line', (line) => {
      const said = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (said !== undefined) resolve(said);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      started.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A browser server of Playwright. */
export async function openPlaywrightEndpoint(flags: readonly string[] = []): Promise<Endpoint> {
  const executablePath = await shellPath();
  const server = await chromium.launchServer({ executablePath, host: '127.0.0.1', args: [...flags] });
  return { url: server.wsEndpoint(), [Symbol.asyncDispose]: () => server.close() };
}

export function endpointOf(url: string): Promise<FoundBrowser> {
  return findBrowser({ asked: url, environment }, signal);
}
