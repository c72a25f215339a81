/** Crawls signed in by a storage state: which hosts get what, and what is written back. */
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { stateCookie } from '../support/sign-in-site.ts';

const SESSION = 'session-8f31c2d4e5';
const SIGN_IN =
  '<title>sign in</title><form action=/login method=post><input name=user><input name=password type=password></form>';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-state-'));
  file = join(folder, 'state.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const cookie = (changes: object = {}): object => stateCookie({ value: SESSION, ...changes });

async function save(state: unknown): Promise<void> {
  await writeFile(file, typeof state === 'string' ? state : JSON.stringify(state));
}

/** A page for visitors who are signed in by a cookie. */
const members =
  (html: string): Route =>
  (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.headers.cookie?.includes(SESSION) === true ? html : SIGN_IN);
  };

describe('a crawl with a storage state', () => {
  test('finds what only those find who are signed in', async () => {
    await using site = await FixtureServer.open({
      '/': members('<title>home</title><a href=/members/one>one</a>'),
      '/members/one': members('<title>one</title><a href=/members/two>two</a>'),
      '/members/two': members('<title>two</title>'),
    });
    const seeds = [site.url('/')];
    expect(pathsOf(await runCrawl({ seeds, delay: 0 }))).toEqual(['/']);
    await save({ cookies: [cookie()], origins: [] });
    const run = await runCrawl({ seeds, delay: 0, storageState: file });
    expect(pathsOf(run)).toEqual(['/', '/members/one', '/members/two']);
    expect(run.pages.map(({ title }) => title)).toEqual(['home', 'one', 'two']);
  });

  test('sends nothing of it to another host, and repeats nothing of it in its folder', async () => {
    const cookies: (readonly [string | undefined, string | undefined])[] = [];
    const noted: Route = (request, response) => {
      cookies.push([request.headers.host, request.headers.cookie]);
      response.end('x');
    };
    await using site = await FixtureServer.open({
      '/': members('<title>home</title><img src="//OTHER/seen.png"><a href="//OTHER/page">out</a><a href=/log>log</a>'),
      '/log': members('<title>log</title><script>console.error(1)</script>'),
      '/seen.png': noted,
      '/page': noted,
    });
    const other = `localhost:${site.port}`;
    site.add({
      '/': members(
        `<title>home</title><img src="http://${other}/seen.png"><a href="http://${other}/page">out</a><a href=/log>log</a>`,
      ),
    });
    const local = { name: 'token', value: 'local-token-77aa55ee' };
    await save({
      cookies: [cookie(), cookie({ name: 'other', value: 'of-another-site-1234', domain: 'unrelated.example' })],
      origins: [{ origin: new URL(site.url('/')).origin, localStorage: [local] }],
    });
    const output = join(folder, 'crawl');
    await using crawl = await startCrawl({
      seeds: [site.url('/')],
      delay: 0,
      storageState: file,
      extraHops: 1,
      output,
      logLevel: 'debug',
    });
    const report = await crawl.report();
    expect(report.totals.failed).toBe(0);
    expect(cookies.length).toBeGreaterThan(1);
    expect(cookies.filter(([, sent]) => sent !== undefined)).toEqual([]);
    for (const secret of [SESSION, local.value, 'of-another-site-1234'])
      for (const text of await textsBelow(output)) expect(text).not.toContain(secret);
  });

  test('gives new tokens for old ones as the site wants it, and writes the last one back', async () => {
    let token = 'token-0-abcdef';
    let turn = 0;
    let refused = 0;
    const page = (links: string): string =>
      `<title>app</title><main></main><script>
        const old = localStorage.getItem('token');
        fetch('/renew?token=' + old).then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status)).then((fresh) => {
          localStorage.setItem('token', fresh);
          document.querySelector('main').innerHTML = ${JSON.stringify(links)};
        });
      </script>`;
    await using site = await FixtureServer.open({
      '/': page('<a href=/one>one</a>'),
      '/one': page('<a href=/two>two</a>'),
      '/two': page('<a href=/three>three</a>'),
      '/three': page('done'),
    });
    for (const path of ['/renew'])
      site.add({
        [path]: (request, response) => {
          const sent = new URL(request.url ?? '', 'http://x').searchParams.get('token');
          if (sent !== token) {
            refused += 1;
            return void response.writeHead(401).end();
          }
          token = `token-${++turn}-abcdef`;
          response.end(token);
        },
      });
    const origin = new URL(site.url('/')).origin;
    await save({ cookies: [], origins: [{ origin, localStorage: [{ name: 'token', value: token }] }] });
    await chmod(file, 0o644);
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: file });
    expect(pathsOf(run)).toEqual(['/', '/one', '/three', '/two']);
    expect([turn, refused]).toEqual([4, 0]);
    const written = JSON.parse(await readFile(file, 'utf8'));
    expect(written.origins).toEqual([{ origin, localStorage: [{ name: 'token', value: token }] }]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: file });
    expect(pathsOf(again)).toHaveLength(4);
    expect(refused).toBe(0);
  });
});

test('cookies that other browsers take, or with a time in milliseconds, sign in, too', async () => {
  const other = { name: 'other', value: 'of-firefox-1234', sameSite: 'None', secure: false };
  const times = [cookie({ expires: 1_900_000_000_000 }), cookie({ ...other, expires: -2 })];
  const sent: (string | undefined)[] = [];
  await using site = await FixtureServer.open({
    '/': (request, response) => {
      sent.push(request.headers.cookie);
      response.end('x');
    },
  });
  await save({ cookies: times, origins: [] });
  await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: file });
  expect(sent).toEqual([`sid=${SESSION}; other=of-firefox-1234`]);
});

describe('what Playwright has saved with cookies and local storage', () => {
  /** The database of Firebase, as Playwright writes it. */
  const database = (token: string): object => ({
    name: 'firebaseLocalStorageDb',
    version: 1,
    stores: [
      {
        name: 'firebaseLocalStorage',
        autoIncrement: false,
        keyPath: 'fbase_key',
        records: [{ value: { fbase_key: 'user', value: { token } } }],
        indexes: [],
      },
    ],
  });

  test('reaches the pages, and stays in the file: databases', async () => {
    const token = 'token-in-a-database-77aa55ee';
    const page = (links: string): string =>
      `<title>app</title><main></main><script>
        const opening = indexedDB.open('firebaseLocalStorageDb', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('firebaseLocalStorage', { keyPath: 'fbase_key' });
        opening.onsuccess = () => {
          const asked = opening.result.transaction('firebaseLocalStorage').objectStore('firebaseLocalStorage').get('user');
          asked.onsuccess = () => {
            if (asked.result?.value.token === '${token}') document.querySelector('main').innerHTML = ${JSON.stringify(links)};
          };
        };
      </script>`;
    await using site = await FixtureServer.open({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'seen=today; Path=/' });
        response.end(page('<a href=/one>one</a>'));
      },
      '/one': page('<a href=/two>two</a>'),
      '/two': page('done'),
    });
    const { origin } = new URL(site.url('/'));
    await save({ cookies: [cookie()], origins: [{ origin, localStorage: [], indexedDB: [database(token)] }] });
    const output = join(folder, 'crawl');
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: file, output, logLevel: 'debug' });
    expect(pathsOf(run)).toEqual(['/', '/one', '/two']);
    const written = JSON.parse(await readFile(file, 'utf8'));
    expect(written.cookies).toHaveLength(2);
    expect(written.origins).toEqual([{ origin, localStorage: [], indexedDB: [database(token)] }]);
    expect(await readFile(join(output, 'log.jsonl'), 'utf8')).not.toContain(token);
  });

  test('reaches the pages, and stays in the file: the partitions of cookies', async () => {
    const sent: (string | undefined)[] = [];
    const renewing =
      (html: string): Route =>
      (request, response) => {
        sent.push(request.headers.cookie);
        const renewed = `sid=renewed-${sent.length}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`;
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': renewed }).end(html);
      };
    await using site = await FixtureServer.open({
      '/': renewing('<title>home</title><a href=/one>one</a>'),
      '/one': renewing('<title>one</title>'),
    });
    const partition = { partitionKey: 'http://127.0.0.1', _crHasCrossSiteAncestor: false };
    await save({ cookies: [cookie({ secure: true, sameSite: 'None', ...partition })], origins: [] });
    await runCrawl({ seeds: [site.url('/')], delay: 0, storageState: file });
    // a cookie without its partition would stay beside the renewed one
    expect(sent).toEqual([`sid=${SESSION}`, 'sid=renewed-1']);
    const { cookies } = JSON.parse(await readFile(file, 'utf8'));
    expect(cookies).toMatchObject([{ name: 'sid', value: 'renewed-2', ...partition }]);
  });
});

describe('a storage state that signs in nowhere is refused before anything is asked for', () => {
  test.each([
    ['that is not there', null, /cannot be read: there is no such file/],
    ['that is no JSON', 'sid=1', /is no storage state[^]*JSON with "cookies" and "origins"/],
    ['that is another JSON', '[1,2]', /is no storage state/],
    ['that is empty', { cookies: [], origins: [] }, /holds nothing for 127\.0\.0\.1: it is empty/],
    [
      'of another site',
      { cookies: [cookie({ domain: '.example.com' })] },
      /holds nothing for 127\.0\.0\.1: it is for example\.com/,
    ],
    [
      'that no browser takes',
      { cookies: [cookie(), cookie({ name: '__Secure-id' })] },
      /^storageState: the browser does not take what the file holds for 127\.0\.0\.1: .*Invalid cookie fields/,
    ],
    ['that has expired', { cookies: [cookie({ expires: 1_700_000_000 })] }, /has expired[^]*2023-11-14T22:13:20/],
  ])('%s', async (_what, state, message) => {
    await using site = await FixtureServer.open({ '/': '<title>home</title>' });
    if (state !== null) await save(state);
    const starting = startCrawl({ seeds: [site.url('/')], storageState: file, output: join(folder, 'crawl') });
    await expect(starting).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) });
    expect(site.asked).toEqual([]);
    expect(await readdir(folder)).toEqual(state === null ? [] : ['state.json']);
  });

  test('with pages that are not rendered', async () => {
    await save({ cookies: [cookie()] });
    const starting = startCrawl({
      seeds: ['http://127.0.0.1:9/'],
      storageState: file,
      render: 'never',
      output: join(folder, 'c'),
    });
    await expect(starting).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('storageState needs a browser'),
    });
  });
});

async function textsBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((each) => readFile(each, 'latin1')));
}
