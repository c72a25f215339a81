/** Applications that keep their sign-in in the storage of the browser: of the tab, as MSAL does, or in a database, as Firebase does. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-sign-in-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const TOKEN = 'token-of-a-storage-0123456789';

/** Functions `read` and `write` of a page, which give promises. */
const WAYS = {
  session: `const read = async () => sessionStorage.getItem('token');
    const write = async (value) => sessionStorage.setItem('token', value);`,
  database: `const opened = new Promise((resolve) => {
      const asked = indexedDB.open('auth', 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore('users', { keyPath: 'key' });
      asked.onsuccess = () => resolve(asked.result);
    });
    const ended = (asked) => new Promise((resolve) => (asked.onsuccess = () => resolve(asked.result)));
    const storeOf = async (mode) => (await opened).transaction('users', mode).objectStore('users');
    const read = async () => (await ended((await storeOf('readonly')).get('me')))?.value.token;
    const write = async (token) => ended((await storeOf('readwrite')).put({ key: 'me', value: { token } }));`,
} as const;

/** Member pages `/m/1` to `/m/6`, whose links come from an API that wants the token. */
async function openApplication(way: keyof typeof WAYS): Promise<FixtureServer> {
  const html = (script: string): string => `<title>app</title><main></main><script type=module>
    ${WAYS[way]}
    ${script}
  </script>`;
  const member = html(`const token = await read();
    if (token === undefined || token === null) location.href = '/login';
    const { links } = await (await fetch('/api' + location.pathname, { headers: { authorization: 'Bearer ' + token } })).json();
    document.querySelector('main').innerHTML = '<b id=user-menu>me</b>' + links.map((to) => '<a href=' + to + '>' + to + '</a>').join(' ');`);
  const login = html(`document.querySelector('main').innerHTML = '<button id=go>Sign in</button>';
    document.getElementById('go').onclick = async () => {
      await write('${TOKEN}');
      location.href = '/m/1';
    };`);
  const numbers = [1, 2, 3, 4, 5, 6];
  const site = await FixtureServer.open({ '/login': login });
  for (const number of numbers) {
    site.add({
      [`/m/${number}`]: member,
      [`/api/m/${number}`]: ({ headers }, response) => {
        const isMember = headers.authorization === `Bearer ${TOKEN}`;
        const links = [number * 2, number * 2 + 1].filter((each) => each <= 6).map((each) => `/m/${each}`);
        response.writeHead(isMember ? 200 : 401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ links: isMember ? links : [] }));
      },
    });
  }
  return site;
}

/** The log-in page is named by a script. */
const membersOf = (run: CrawlRun): readonly string[] => pathsOf(run).filter((path) => path !== '/login');
const MEMBERS = ['/m/1', '/m/2', '/m/3', '/m/4', '/m/5', '/m/6'];

test.each(['session', 'database'] as const)(
  'a log-in that is kept in the %s storage of a browser holds in every page',
  async (way) => {
    await using site = await openApplication(way);
    const login = join(folder, 'login.yaml');
    await writeFile(login, `url: /login\nsteps:\n  - { click: "#go" }\n  - { wait: "#user-menu" }\n`);
    const state = join(folder, 'state.json');
    const options = {
      seeds: [site.url('/m/1')],
      delay: 0,
      signedIn: 'selector:#user-menu',
      storageState: state,
    } as const;
    const run = await runCrawl({ ...options, login, workers: 3, hostConcurrency: 3 });
    expect(run.report.end).toBe('all-visited');
    expect(membersOf(run)).toEqual(MEMBERS);
    expect(run.pages.filter(({ url, signedIn }) => !url.endsWith('/login') && signedIn !== true)).toEqual([]);
    expect(await readFile(state, 'utf8')).toContain(TOKEN);
    // the file alone signs in as well, and has it afterwards
    const again = await runCrawl(options);
    expect(membersOf(again)).toEqual(MEMBERS);
    expect(await readFile(state, 'utf8')).toContain(TOKEN);
  },
);
