import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { browserEnvironment, findBrowser, type FoundBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser, type LaunchOptions } from '../../browsers/launch/launch-browser.ts';
import { launchProfile } from '../../browsers/launch/launch-profile.ts';
import { startProgram } from '../../browsers/launch/start-program.ts';
import type { Browser } from '../../browsers/protocol/browser.ts';
import { PipeBrowser } from '../../browsers/protocol/pipe-browser.ts';
import { silentLog } from '../../src/base/log.ts';
import { openRawPage } from '../support/raw-page.ts';
import { until } from '../support/until.ts';

const environment = browserEnvironment(process.env, process.platform, homedir());
const signal = new AbortController().signal;
const options: LaunchOptions = { proxyUrl: null, frameControl: true, extraFlags: [], sandbox: 'auto', log: silentLog };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function launched(changes: Partial<LaunchOptions> = {}): Promise<Browser> {
  const found = await findBrowser({ asked: null, environment }, signal);
  const browser = await launchBrowser(found, { ...options, ...changes }, signal);
  cleanUps.push(() => browser.close());
  return browser;
}

function listening(server: Server): Promise<number> {
  cleanUps.push(() => new Promise((done) => server.close(done)));
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)));
}

/** A script of the test in place of a browser. */
async function pretender(script: string): Promise<FoundBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  const path = join(folder, 'browser');
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { kind: 'executable', path, flavour: 'chromium', source: 'test', variables: environment.variables };
}

describe('a launched browser', () => {
  it('renders a page', async () => {
    const browser = await launched();
    const page = await openRawPage(browser);
    await page.goto('data:text/html,<p>x</p><script>document.title = 1 + 1</script>');
    expect(await page.evaluate('document.title')).toBe('2');
  });

  it('runs with its sandbox on and not as root', async () => {
    const browser = await launched();
    const { pid } = browser;
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(commandLine).not.toContain('--no-sandbox');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0');
    expect(/^CapEff:\s+(\w+)/m.exec(status)?.[1]).toBe('0000000000000000');
  });

  it('gets no secret of the environment', async () => {
    const secret = browserEnvironment(
      { ...process.env, ORBWEAVER_REDIS_URL: 'redis://:secret@h' },
      process.platform,
      homedir(),
    );
    const found = await findBrowser({ asked: null, environment: secret }, signal);
    const browser = await launchBrowser(found, options, signal);
    cleanUps.push(() => browser.close());
    expect(await readFile(`/proc/${browser.pid}/environ`, 'utf8')).not.toContain('secret');
  });

  it('asks the proxy for loopback addresses, too', async () => {
    const reached: string[] = [];
    const site = createServer((_request, response) => response.end('direct'));
    const proxy = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end('<title>by proxy</title>');
    });
    const [sitePort, proxyPort] = [await listening(site), await listening(proxy)];
    const browser = await launched({ proxyUrl: `http://127.0.0.1:${proxyPort}` });
    const page = await openRawPage(browser);
    await page.goto(`http://127.0.0.1:${sitePort}/x`);
    await expect.poll(() => page.evaluate('document.title')).toBe('by proxy');
    expect(reached).toContain(`http://127.0.0.1:${sitePort}/x`);
  });

  it('draws frames only when asked, where frame control is wanted', async () => {
    const { page, evaluate } = await openRawPage(await launched({ frameControl: true }));
    expect(page.frameControl).toBe(true);
    await page.session.send('HeadlessExperimental.enable');
    await evaluate('void requestAnimationFrame(() => (document.title = "drawn"))');
    await evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    expect(await evaluate('document.title')).toBe('');
    await page.session.send('HeadlessExperimental.beginFrame', { noDisplayUpdates: true });
    await expect.poll(() => evaluate('document.title')).toBe('drawn');
  });

  it('shows pages of the size that is wanted, in both ways', async () => {
    for (const frameControl of [true, false]) {
      const { evaluate } = await openRawPage(await launched({ frameControl }));
      expect(await evaluate('[innerWidth, innerHeight, devicePixelRatio]')).toEqual([800, 600, 1]);
    }
  });

  it('leaves no folder behind', async () => {
    const browser = await launched();
    const args = await readFile(`/proc/${browser.pid}/cmdline`, 'utf8');
    const profile = /--user-data-dir=([^\0]+)/.exec(args)?.[1] ?? '';
    expect((await stat(profile)).isDirectory()).toBe(true);
    await browser.close();
    await expect(stat(profile)).rejects.toThrow('ENOENT');
  });

  it('ends when its pipe does, which is what becomes of it with this process', async () => {
    const found = await findBrowser({ asked: null, environment }, signal);
    if (found.kind !== 'executable') throw new Error('an endpoint');
    const { flags } = launchProfile({ ...options, flavour: found.flavour, sandbox: 'off' });
    const start = { path: found.path, flags: [...flags, '--no-sandbox'], environment: environment.variables };
    const program = await startProgram(start);
    cleanUps.push(async () => program.kill());
    const how = { frameControl: true, ownNetwork: false, proxyCredential: null };
    const browser = await PipeBrowser.greet(program, how);
    program.pipe.in.destroy();
    program.pipe.out.destroy();
    await program.ended;
    expect(browser.gone.aborted).toBe(true);
    await expect(browser.processes()).rejects.toThrow();
  });

  it('can be reached at an endpoint', async () => {
    const found = await findBrowser({ asked: null, environment }, signal);
    const server = await launched({ extraFlags: ['--remote-debugging-port=0'] });
    expect(found.kind).toBe('executable');
    const args = await readFile(`/proc/${server.pid}/cmdline`, 'utf8');
    const profile = /--user-data-dir=([^\0]+)/.exec(args)?.[1] ?? '';
    // the browser answers over its pipe before it writes its port to a file
    const portOf = async (): Promise<string> =>
      (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n')[0] ?? '';
    await until(async () => (await portOf()) !== '', 'the port of the browser');
    const port = await portOf();
    const endpoint = await findBrowser({ asked: `http://127.0.0.1:${port}`, environment }, signal);
    const browser = await launchBrowser(endpoint, options, signal);
    expect(browser.version()).toBe(server.version());
    const page = await openRawPage(browser);
    await page.goto('data:text/html,<title>general</title>');
    await expect.poll(() => page.evaluate('document.title')).toBe('general');
    await browser.close();
  });
});

describe('a browser that does not start', () => {
  it('is unusable with its own words and the cure, where its sandbox is forbidden', async () => {
    const found = await pretender('echo "FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox!" >&2; exit 1');
    await expect(launchBrowser(found, options, signal)).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      message: expect.stringMatching(/sandbox is not allowed here[^]*seccomp/),
    });
  });

  it('is unusable and names the library that is missing', async () => {
    const found = await pretender(
      'echo "browser: error while loading shared libraries: libnss3.so: cannot open" >&2; exit 127',
    );
    await expect(launchBrowser(found, options, signal)).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      message: expect.stringMatching(/a library it needs is missing[^]*libnss3\.so[^]*install-deps/),
    });
  });

  it('is unusable where nothing listens at the endpoint', async () => {
    const port = await listening(createServer());
    await cleanUps.pop()?.();
    const found: FoundBrowser = { kind: 'endpoint', url: `http://127.0.0.1:${port}`, protocol: 'cdp' };
    await expect(launchBrowser(found, options, signal)).rejects.toMatchObject({
      code: 'BROWSER_UNUSABLE',
      message: expect.stringContaining('nothing answers at its address'),
    });
  });

  it('is given up when the crawl is', async () => {
    const found = await pretender('exec sleep 60');
    const stop = new AbortController();
    const launching = launchBrowser(found, options, stop.signal);
    stop.abort(new Error('stop'));
    await expect(launching).rejects.toThrow('stop');
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'the wrapper that drops privileges hands over the pid and the arguments',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
    cleanUps.push(() => rm(home, { recursive: true }));
    const out = execFileSync('/bin/sh', ['browsers/launch/drop-privileges.sh', `--user-data-dir=${home}`, '--a b'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ORBWEAVER_BROWSER_PROGRAM: '/usr/bin/printf', ORBWEAVER_BROWSER_UID: '65534' },
    });
    expect(out).toBe(`--user-data-dir=${home}`);
  },
);
