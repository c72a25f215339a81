import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WindowRequest } from '../../../browsers/playwright/open-window.ts';
import { currentEnvironment } from '../../../src/crawl/crawl-environment.ts';
import { signInByHand } from '../../../src/crawl/sign-in/sign-in-by-hand.ts';

const never = new AbortController().signal;
const URL = 'https://example.org/login';
const HOW = { url: URL, storageState: 's', onOpen: () => {} };
const COOKIE = { name: 'sid', value: 'qzw8', domain: 'example.org', path: '/', expires: -1 } as const;
const STATE = { cookies: [{ ...COOKIE, httpOnly: true, secure: true, sameSite: 'Lax' as const }], origins: [] };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-window-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine with these variables, and a browser with this name. */
async function machine(variables: Readonly<Record<string, string>>, browser = 'chromium') {
  await writeFile(join(folder, browser), '\x7fELF');
  await chmod(join(folder, browser), 0o755);
  const all = { PATH: folder, HOME: folder, PLAYWRIGHT_BROWSERS_PATH: folder, SECRET: 'qzw8-secret', ...variables };
  const environment = currentEnvironment(all, folder);
  return { ...environment, browsers: { ...environment.browsers, platform: 'linux' } };
}

describe('signing in by hand', () => {
  it('makes the folder of the file, and refuses a place that cannot be written before anybody signs in', async () => {
    const environment = await machine({ DISPLAY: ':9' });
    const deep = { ...HOW, storageState: 'auth/of/me.json' };
    expect(await signInByHand(deep, environment, never, async () => STATE)).toMatchObject({ cookies: 1 });
    expect(JSON.parse(await readFile(join(folder, 'auth/of/me.json'), 'utf8'))).toEqual(STATE);
    const open = () => Promise.reject(new Error('must not be called'));
    const folderAsFile = { ...HOW, storageState: 'auth/of' };
    await expect(signInByHand(folderAsFile, environment, never, open)).rejects.toMatchObject({
      code: 'OUTPUT_UNUSABLE',
    });
  });

  it('overwrites no file that is another one', async () => {
    const environment = await machine({ DISPLAY: ':9' });
    const open = () => Promise.reject(new Error('must not be called'));
    await writeFile(join(folder, 'login.yaml'), 'steps: []\n');
    const signing = signInByHand({ ...HOW, storageState: 'login.yaml' }, environment, never, open);
    await expect(signing).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/login\.yaml is no storage state/),
    });
    expect(await readFile(join(folder, 'login.yaml'), 'utf8')).toBe('steps: []\n');
    // an empty file is as good as none
    await writeFile(join(folder, 'new.json'), '\n');
    const empty = { ...HOW, storageState: 'new.json' };
    expect(await signInByHand(empty, environment, never, async () => STATE)).toMatchObject({ cookies: 1 });
  });

  it('writes what the window leaves for its owner alone, and begins with it the next time', async () => {
    const requests: WindowRequest[] = [];
    const open = async (request: WindowRequest) => {
      requests.push(request);
      return STATE;
    };
    const environment = await machine({ DISPLAY: ':9', XAUTHORITY: '/x' });
    const how = { ...HOW, storageState: 'state.json' };
    expect(await signInByHand(how, environment, never, open)).toEqual({
      file: join(folder, 'state.json'),
      cookies: 1,
      origins: 0,
    });
    expect(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'))).toEqual(STATE);
    expect((await stat(join(folder, 'state.json'))).mode & 0o777).toBe(0o600);
    await signInByHand(how, environment, never, open);
    expect(requests.map(({ state }) => state)).toEqual([null, STATE]);
    expect(requests[0]).toMatchObject({ url: URL, path: join(folder, 'chromium'), variables: { DISPLAY: ':9' } });
    expect(JSON.stringify(requests[0]?.variables)).not.toContain('qzw8-secret');
  });

  it.each([
    [
      'without a display',
      {},
      'chromium',
      'USAGE',
      /no display.*\n.*codegen --save-storage=state\.json https:\/\/example\.org\/login.*--login/,
    ],
    ['without a browser that has windows', { DISPLAY: ':9' }, 'chromium-headless-shell', 'BROWSER_MISSING', /codegen/],
  ])('%s says what else can be done', async (_what, variables, browser, code, message) => {
    const open = () => Promise.reject(new Error('must not be called'));
    const signing = signInByHand({ ...HOW, storageState: 's.json' }, await machine(variables, browser), never, open);
    await expect(signing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    [
      'a window that does not open',
      () => Promise.reject(new Error('no\nlog')),
      'BROWSER_UNUSABLE',
      /did not open a window: no\n/,
    ],
    [
      'a window in which nobody signed in',
      async () => ({ cookies: [], origins: [] }),
      'LOGIN_FAILED',
      /nothing|stored/,
    ],
  ])('%s leaves no file', async (_what, open, code, message) => {
    const signing = signInByHand({ ...HOW, storageState: 's.json' }, await machine({ DISPLAY: ':9' }), never, open);
    await expect(signing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(stat(join(folder, 's.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('begins with no address but one of the web', async () => {
    const signing = signInByHand({ ...HOW, url: 'file:///etc/passwd' }, await machine({ DISPLAY: ':9' }), never);
    await expect(signing).rejects.toMatchObject({ code: 'SEED_INVALID' });
  });
});
