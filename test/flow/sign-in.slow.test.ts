/** Crawls that sign in by themselves, and stay signed in. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { loginSteps, openSignInSite, PASSWORD, TOTP_SECRET } from '../support/sign-in-site.ts';

let folder = '';
let steps = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-sign-in-'));
  steps = join(folder, 'login.yaml');
  await writeFile(steps, loginSteps());
  vi.stubEnv('SITE_PASSWORD', PASSWORD);
  vi.stubEnv('SITE_TOTP', TOTP_SECRET);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const MARK = 'selector:#user-menu';
const allOf = (pages: number): readonly string[] => [
  '/',
  ...Array.from({ length: pages }, (_, index) => `/m/${index + 1}`),
];
/** Expects all pages to be recorded signed in, none as a signed-out visitor sees it. */
const expectMembersOnly = (run: CrawlRun, pages: number): void => {
  expect(pathsOf(run)).toEqual(allOf(pages).toSorted());
  expect(run.pages.filter(({ title }) => title === 'sign in')).toEqual([]);
  expect(run.pages.filter(({ signedIn }) => signedIn !== true)).toEqual([]);
};

describe('a crawl that signs in by a file of steps', () => {
  test('finds what only those find who are signed in, and keeps nothing of it but where it is told to', async () => {
    await using site = await openSignInSite();
    const state = join(folder, 'state.json');
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK, storageState: state });
    expect(run.report.end).toBe('all-visited');
    expectMembersOnly(run, 6);
    expect(site.logIns()).toBe(1);
    expect((await stat(state)).mode & 0o777).toBe(0o600);
    expect(await readFile(state, 'utf8')).toContain(site.sessions()[0] ?? '-');
    const again = await runCrawl({
      seeds: [site.url('/')],
      delay: 0,
      login: steps,
      signedIn: MARK,
      storageState: state,
    });
    expectMembersOnly(again, 6);
    expect(site.logIns()).toBe(1);
  });

  test('gives one-time passwords, and each to the site once', async () => {
    await using site = await openSignInSite({ totp: true, pages: 2 });
    await writeFile(steps, loginSteps({ totp: true }));
    expectMembersOnly(await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK }), 2);
  });

  test.each([
    ['form', MARK],
    ['redirect', 'url:!/login**'],
    ['forbidden', 'cookie:sid'],
  ] as const)('signs in anew, once for all workers, when its session ends (%s, %s)', async (refusal, signedIn) => {
    await using site = await openSignInSite({ pages: 12, pagesPerSession: 5, refusal });
    const run = await runCrawl({
      seeds: [site.url('/')],
      delay: 0,
      login: steps,
      signedIn,
      workers: 3,
      hostConcurrency: 3,
    });
    expect(run.report.end).toBe('all-visited');
    expectMembersOnly(run, 12);
    expect([...run.skipped.values()].filter(({ reason }) => reason !== 'probe')).toEqual([]);
    expect(site.logIns()).toBeGreaterThan(1);
    expect(site.logIns()).toBeLessThan(13);
  });

  test('visits no link that signs out, and finds out which others do', async () => {
    await using site = await openSignInSite({
      pages: 4,
      signingOut: ['/logout', '/farewell', '/x/7'],
      markup: (path) =>
        `<a href=/logout>x</a><a href="/farewell?from=${path}">so long</a><a href=/x/7> Sign out (alice)</a>`,
    });
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK });
    expectMembersOnly(run, 4);
    const rules = [...run.skipped.values()].map(({ url, reason, rule }) => [new URL(url).pathname, reason, rule]);
    expect(rules.filter(([path]) => path === '/logout')).toEqual([
      ['/logout', 'signs-out', 'its address signs out: /logout'],
    ]);
    expect(rules.filter(([path]) => path === '/x/7')).toEqual([
      ['/x/7', 'signs-out', 'its text signs out: Sign out (alice)'],
    ]);
    const farewells = rules.filter(([path]) => path === '/farewell');
    expect(farewells).toHaveLength(5);
    expect(new Set(farewells.map(([, reason]) => reason))).toEqual(new Set(['signs-out']));
    const asked = site.server.paths();
    expect(asked.filter((path) => path === '/logout' || path === '/x/7')).toEqual([]);
    // two addresses of the path are tried twice; the others are skipped
    expect(asked.filter((path) => path.startsWith('/farewell'))).toHaveLength(4);
    expect(run.links.filter(({ to }) => to.endsWith('/logout')).length).toBeGreaterThan(0);
  });

  test('visits no link that does something by a token against forged requests', async () => {
    await using site = await openSignInSite({
      pages: 2,
      markup: () => `<a href="/edit?post=3&action=move&_wpnonce=5a1f">Move</a><a href="/p/2?sort=asc">Sort</a>`,
    });
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK });
    const acted = [...run.skipped.values()].filter(({ reason }) => reason === 'acts');
    expect(acted.map(({ url, rule }) => [new URL(url).pathname, rule])).toEqual([
      ['/edit', 'it would change something: it has the proof ?_wpnonce'],
    ]);
    expect(site.server.paths().filter((path) => path.startsWith('/edit'))).toEqual([]);
    expect(run.links.filter(({ to }) => to.includes('/edit?')).length).toBeGreaterThan(0);
  });

  test('visits no link that would delete something, wherever it stands', async () => {
    await using site = await openSignInSite({
      pages: 3,
      markup: (path) => `<a href="/m/1/delete/">Delete</a><a href="/gone?from=${path}">x</a><a href="/?delete=2">y</a>`,
    });
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK, limit: 30 });
    const acts = [...run.skipped.values()].filter(({ reason }) => reason === 'acts');
    expect(acts.map(({ url, rule }) => [url.replace(site.url('/'), '/'), rule]).toSorted()).toEqual([
      ['/?delete=2', 'it would change something: ?delete'],
      ['/m/1/delete/', 'it would change something: /delete'],
    ]);
    expect(site.server.paths().filter((path) => path.includes('delete'))).toEqual([]);
    expect(run.links.some(({ to }) => to.endsWith('/m/1/delete/'))).toBe(true);
  });
});

test('a file that hangs does not keep a crawl from signing in: the form and the page after it are there', async () => {
  const hanging = '<img src=/hangs>';
  await using site = await openSignInSite({ pages: 0, markup: () => hanging });
  site.server.add({
    '/form': `<title>sign in</title><form action=/login method=post><input name=user id=user><input name=password id=password type=password><button id=send>Go</button></form>${hanging}`,
    '/hangs': () => {},
  });
  const text = loginSteps().replace('/login', '/form').replace('timeout: 5', 'timeout: 2');
  await writeFile(steps, text.replace("wait: '#user-menu'", 'wait: { url: "/" }'));
  const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: steps, signedIn: MARK, settleTimeout: 1000 });
  expectMembersOnly(run, 0);
  expect(site.logIns()).toBe(1);
});

describe('a log-in whose last step is answered late', () => {
  /** An application that asks for the password itself, when it has been idle for a while, and stores a token. */
  const app = (links: string): string =>
    `<title>app</title><main></main><script>
      const show = () => {
        const token = localStorage.getItem('token');
        document.querySelector('main').innerHTML = token === 'qzw8-token-of-alice' ? '<nav id=user-menu></nav>' + ${JSON.stringify(links)}
          : '<form><input id=user><input id=password type=password><button id=send disabled>Sign in</button></form>';
        setTimeout(() => document.querySelector('#send')?.removeAttribute('disabled'), 900);
      };
      show();
      document.onsubmit = (event) => {
        event.preventDefault();
        if (location.hash === '#hides') document.querySelector('form').remove();
        fetch('/api/login', { method: 'POST', body: document.querySelector('#password')?.value ?? '${PASSWORD}' })
          .then((answer) => answer.ok ? answer.text() : '').then((token) => { localStorage.setItem('token', token); show(); });
      };
    </script>`;
  const openApp = () =>
    FixtureServer.open({
      '/': app('<a href=/one>1</a>'),
      '/one': app('done'),
      '/api/login': (request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          setTimeout(() => response.writeHead(body === PASSWORD ? 200 : 403).end('qzw8-token-of-alice'), 1500);
        });
      },
    });

  test.each([
    ['without a mark', '/', undefined],
    ['by what is there only before', '/', 'selector:!#password'],
    ['by what goes before the answer is there', '/#hides', 'selector:!#password'],
  ])('is waited for (%s)', async (_what, path, signedIn) => {
    await using site = await openApp();
    await writeFile(
      steps,
      loginSteps()
        .replace(/.*wait.*\n/, '')
        .replace('/login', path),
    );
    const run = await runCrawl({
      seeds: [site.url('/')],
      delay: 0,
      login: steps,
      ...(signedIn === undefined ? {} : { signedIn }),
    });
    expect(pathsOf(run)).toEqual(['/', '/one']);
    expect(site.paths().filter((asked) => asked === '/api/login')).toHaveLength(1);
  });

  test('fails for a wrong password', async () => {
    vi.stubEnv('SITE_PASSWORD', 'qzw8-wrong');
    await using site = await openApp();
    await writeFile(
      steps,
      loginSteps()
        .replace(/.*wait.*\n/, '')
        .replace('/login', '/'),
    );
    const failing = runCrawl({ seeds: [site.url('/')], delay: 0, login: steps });
    await expect(failing).rejects.toThrow(/still asks for a password/);
  });
});

test('a module signs in where tokens lie in the local storage, and are given anew', async () => {
  let fresh = 'qzw8-refresh-0';
  let turn = 0;
  const shell = (links: string): string =>
    `<title>app</title><main></main><script>
      fetch('/token', { method: 'POST', body: localStorage.getItem('refresh') ?? '' })
        .then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status))
        .then((token) => { localStorage.setItem('refresh', token); document.querySelector('main').innerHTML = '<nav id=user-menu></nav>' + ${JSON.stringify(links)}; })
        .catch(() => { document.querySelector('main').innerHTML = '<a href=/enter>enter</a>'; });
    </script>`;
  await using site = await FixtureServer.open({
    '/': shell('<a href=/one>1</a>'),
    '/one': shell('<a href=/two>2</a>'),
    '/two': shell('done'),
    '/enter': "<title>enter</title><button onclick=\"localStorage.setItem('refresh', 'qzw8-refresh-0')\">go</button>",
    '/token': (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (body !== fresh) return void response.writeHead(401).end();
        fresh = `qzw8-refresh-${++turn}`;
        response.end(fresh);
      });
    },
  });
  const module = join(folder, 'login.mjs');
  await writeFile(
    module,
    `export default async ({ page }) => { await page.goto(${JSON.stringify(site.url('/enter'))}); await page.click('button'); await page.goto(${JSON.stringify(site.url('/'))}); };`,
  );
  const run = await runCrawl({ seeds: [site.url('/')], delay: 0, login: module, signedIn: MARK });
  expect(pathsOf(run)).toEqual(['/', '/one', '/two']);
  expect(run.pages.map(({ signedIn }) => signedIn)).toEqual([true, true, true]);
});
