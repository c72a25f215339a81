/** Code that blocks the main loop costs a page, not the crawl; signals end a blocked program, and the crawl is resumed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReport } from '../../src/crawl/crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { until } from '../support/until.ts';

const PROGRAM = fileURLToPath(new URL('../support/stalling-crawl.mjs', import.meta.url));
let base = '';
let site = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-stalls-'));
  site = join(base, 'site');
  await mkdir(site);
  const links = ['slow', 'one', 'two', 'three'].map((name) => `<a href="${name}.html">${name}</a>`).join('\n');
  await writeFile(join(site, 'index.html'), `<!doctype html><title>Start</title>${links}`);
  for (const name of ['slow', 'one', 'two', 'three'])
    await writeFile(join(site, `${name}.html`), `<!doctype html><title>${name}</title><p>This is ${name}.`);
});
afterAll(() => rm(base, { recursive: true, force: true }));

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
}

function start(folder: string, how: string): Program {
  const child = spawn(process.execPath, [PROGRAM, site, folder, how], { cwd: base, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const ended = once(child, 'close').then(
    ([code, signal]) => [code as number | null, signal as string | null] as const,
  );
  return { child, output: () => output, ended };
}

async function titles(folder: string): Promise<readonly (string | null)[]> {
  const lines = (await readFile(join(folder, 'pages.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as PageRecord).title).toSorted();
}

const ALL = ['Start', 'one', 'slow', 'three', 'two'];

describe('an extension that never comes back', () => {
  it('is ended, the stall is told, and the crawl visits all pages', async () => {
    const folder = join(base, 'sync');
    const { output, ended } = start(folder, 'sync');
    expect(await ended, output()).toEqual([0, null]);
    const { state, stalls } = JSON.parse(output().trim().split('\n').at(-1) ?? '') as Pick<
      CrawlReport,
      'state' | 'stalls'
    >;
    expect(state).toBe('finished');
    expect(await titles(folder)).toEqual(ALL);
    const log = await readFile(join(folder, 'log.jsonl'), 'utf8');
    expect(log).toMatch(/"event":"discoverer failed"|ended after 5000 ms/);
    expect(log).toMatch(/"during":\[[^\]]*slow\.html[^\]]*\][^\n]*"event":"main loop stalled"/);
    const told = log.split('\n').filter((line) => line.includes('"event":"main loop stalled"'));
    expect(told).toHaveLength(stalls.count);
    // where other programs take the processor for a second, that is a stall as well; the extension makes one long one
    const lengths = told.map((line) => Number(/"length":(\d+)/.exec(line)?.[1]));
    expect(lengths.filter((length) => length >= 4000)).toEqual([Math.round(stalls.longest)]);
  });

  it('and cannot be ended is interrupted by one signal; what was saved is resumed', async () => {
    const folder = join(base, 'async');
    const { child, output, ended } = start(folder, 'async');
    // a signal sent at once would be lost; the watchdog's message shows that the system handles signals again
    await until(async () => output().includes('has been blocked'), `the watchdog's word: ${output()}`, 30_000);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    const again = start(folder, 'resume');
    expect(await again.ended, again.output()).toEqual([0, null]);
    expect(await titles(folder)).toEqual(ALL);
  });
});
