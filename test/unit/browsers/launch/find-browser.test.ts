import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { browserEnvironment, findBrowser, type BrowserEnvironment } from '../../../../browsers/launch/find-browser.ts';

const signal = new AbortController().signal;
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'orbweaver-test-'));
});
afterEach(() => rm(root, { recursive: true }));

async function program(path: string, content = '\u007fELF'): Promise<string> {
  const whole = join(root, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, content);
  await chmod(whole, 0o755);
  return whole;
}

function environment(changes: Partial<BrowserEnvironment> = {}): BrowserEnvironment {
  const variables = { PATH: [join(root, 'bin'), join(root, 'bin2')].join(':') };
  return { ...browserEnvironment(variables, 'linux', root), ...changes };
}

const find = (asked: string | null, changes: Partial<BrowserEnvironment> = {}) =>
  findBrowser({ asked, environment: environment(changes) }, signal);

describe('among installed browsers', () => {
  it('a headless shell of PATH goes before a full browser that comes earlier in PATH', async () => {
    await program('bin/google-chrome');
    const shell = await program('bin2/chromium-headless-shell');
    expect(await find(null)).toMatchObject({ kind: 'executable', path: shell, flavour: 'headless-shell' });
  });

  it("Playwright's newest build goes before what is in PATH", async () => {
    await program('bin/chromium-headless-shell');
    const inCache = (revision: number) =>
      program(`.cache/ms-playwright/chromium_headless_shell-${revision}/chrome-linux/headless_shell`);
    await inCache(999);
    const newest = await inCache(1255);
    expect(await find(null)).toMatchObject({ path: newest, flavour: 'headless-shell' });
  });

  it("a full browser of Playwright's cache comes after a headless shell of PATH", async () => {
    await program('.cache/ms-playwright/chromium-1255/chrome-linux64/chrome');
    const shell = await program('bin/chrome-headless-shell');
    expect(await find(null)).toMatchObject({ path: shell });
  });

  it('a file that may not be executed is none', async () => {
    await chmod(await program('bin/chromium-headless-shell'), 0o644);
    const chrome = await program('bin/google-chrome');
    expect(await find(null)).toMatchObject({ path: chrome, flavour: 'chromium' });
  });

  it('applications of macOS and Windows are found where they are installed', async () => {
    const mac = await program('Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect(await find(null, { platform: 'darwin' })).toMatchObject({ path: mac, flavour: 'chromium' });
    expect(await find('chrome', { platform: 'darwin' })).toMatchObject({ path: mac });
  });

  it('none at all is an error that names the command', async () => {
    await expect(find(null)).rejects.toMatchObject({
      code: 'BROWSER_MISSING',
      message: expect.stringMatching(
        /apt-get install chromium-headless-shell[^]*playwright-core install[^]*npm i @sparticuz\/chromium/,
      ),
    });
  });
});

describe('what was asked for', () => {
  it('a path by the flag goes before the environment, and the environment before what is installed', async () => {
    await program('bin/chromium-headless-shell');
    const [flag, variable] = [await program('a/chrome'), await program('b/chrome-headless-shell')];
    expect(await find(flag, { browser: variable })).toMatchObject({
      path: flag,
      flavour: 'chromium',
      source: '--browser',
    });
    expect(await find(null, { browser: variable })).toMatchObject({
      path: variable,
      flavour: 'headless-shell',
      source: 'ORBWEAVER_BROWSER',
    });
  });

  it('a channel stands for its programs', async () => {
    await program('bin/chromium-headless-shell');
    const chrome = await program('bin/google-chrome');
    expect(await find('chrome')).toMatchObject({ path: chrome, flavour: 'chromium' });
  });

  it.each([
    ['http://127.0.0.1:9222', 'cdp'],
    ['https://browser.example/?token=x', 'cdp'],
    ['ws://127.0.0.1:9222/devtools/browser/0a', 'cdp'],
    ['ws://127.0.0.1:3000/', 'playwright'],
    ['wss://browser.example/playwright', 'playwright'],
  ])('%s is an endpoint that speaks %s', async (url, protocol) => {
    expect(await find(url)).toEqual({ kind: 'endpoint', url, protocol });
  });

  it.each(['/nowhere/chrome', 'msedge', 'http://'])(
    '"%s" that is not there is an error, and nothing else is taken',
    async (asked) => {
      await program('bin/chromium-headless-shell');
      await expect(find(asked)).rejects.toMatchObject({
        code: 'BROWSER_MISSING',
        message: expect.stringContaining(`"${asked}"`),
      });
    },
  );
});

describe('the environment of a browser', () => {
  it('keeps what a browser needs and drops the rest', () => {
    const { variables } = browserEnvironment(
      {
        PATH: '/bin',
        LC_ALL: 'C',
        TMPDIR: '/t',
        ORBWEAVER_REDIS_URL: 'redis://:p@h',
        AWS_SECRET_ACCESS_KEY: 's',
        LD_PRELOAD: 'x',
      },
      'linux',
      '/home/a',
    );
    expect(variables).toEqual({ PATH: '/bin', LC_ALL: 'C', TMPDIR: '/t' });
  });

  it.each([
    ['linux', {}, '/home/a/.cache/ms-playwright'],
    ['linux', { XDG_CACHE_HOME: '/c' }, '/c/ms-playwright'],
    ['darwin', {}, '/home/a/Library/Caches/ms-playwright'],
    ['linux', { PLAYWRIGHT_BROWSERS_PATH: '/own' }, '/own'],
  ])("has Playwright's cache of %s %o in %s", (platform, variables, cache) => {
    expect(browserEnvironment(variables, platform, '/home/a').playwrightCache).toBe(cache);
  });
});
