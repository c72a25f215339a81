/**
 * `orbweaver login` with a real window, on a virtual display. The page signs in by itself; then the window is closed as a
 * person closes one. The test is never skipped: without Xvfb or a Chromium with windows it fails and says so, as `npm test` brings both.
 */
import { chmod, chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { NOBODY, runUnprivileged } from '../support/command.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { openDisplay } from '../support/display.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-window-'));
  await chmod(folder, 0o755);
  if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SESSION = 'qzw8-window-session';
const isIn = ({ headers }: IncomingMessage): boolean => headers.cookie?.includes(SESSION) === true;

test('what a person signs in to in the window of `orbweaver login` is kept for its owner alone, and signs a crawl in', async () => {
  await using display = await openDisplay();
  let window = '';
  let signedIn = (): void => {};
  const isSignedIn = new Promise<void>((resolve) => (signedIn = resolve));
  await using site = await FixtureServer.open({
    '/': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(isIn(request) ? '<title>home</title><a href=/members>members</a>' : '<title>sign in</title>');
    },
    '/members': (request, response) => {
      response.writeHead(isIn(request) ? 200 : 403, { 'content-type': 'text/html' }).end('<title>members</title>');
    },
    '/login': `<title>sign in</title><script>
      requestAnimationFrame(() => fetch('/session?' + new URLSearchParams({ webdriver: navigator.webdriver, width: outerWidth, agent: navigator.userAgent }), { method: 'POST' })
        .then(() => fetch('/done', { method: 'POST' })))</script>`,
    '/done': (_request, response) => {
      response.end();
      signedIn();
    },
    '/session': (request, response) => {
      window = request.url ?? '';
      response.writeHead(204, { 'set-cookie': `sid=${SESSION}; Path=/; HttpOnly; Max-Age=3600` }).end();
    },
  });
  const variables = { DISPLAY: display.name, XAUTHORITY: undefined, WAYLAND_DISPLAY: undefined };
  const words = ['login', site.url('/login'), '--storage-state', 'state.json'];
  const login = runUnprivileged(words, folder, variables);
  await Promise.race([isSignedIn, login.ended]);
  await display.closeWindows();
  const { code, output } = await login.ended;
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain('Sign in in the window that has opened');
  expect(output).toMatch(/state\.json: 1 cookies, local storage of 0 origins/);
  // a real window: it has a window's size, and the browser does not call itself headless or driven
  expect(window).toMatch(/webdriver=false&width=[1-9]\d{2,}&/);
  expect(window).not.toContain('Headless');
  expect(output).not.toContain(SESSION);
  const state = join(folder, 'state.json');
  expect((await stat(state)).mode & 0o777).toBe(0o600);
  expect(await readFile(state, 'utf8')).toContain(SESSION);
  const run = await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: state });
  expect(pathsOf(run)).toEqual(['/', '/members']);
});
