/** Whole crawls with a browser that somebody else has started. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { defineExtension } from '../../src/pipeline/extension.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { openCdpEndpoint, openPlaywrightEndpoint } from '../support/browser-ways.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf } from '../support/crawl-run.ts';
import { stateCookie } from '../support/sign-in-site.ts';

const SESSION = 'session-51b0ce9a';
const STATE = { cookies: [stateCookie({ value: SESSION })], origins: [] };

const members =
  (html: string): Route =>
  (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.headers.cookie?.includes(SESSION) === true ? html : '<title>strangers</title>');
  };

/** A link that only a hook finds, after a timer that fires while the hook waits. */
const SHOP = `<title>shop</title><button>Everything</button><script>document.querySelector('button').onclick=(click)=>
  click.isTrusted&&setTimeout(()=>document.body.innerHTML='<p id=all><a href=/shop/hidden>hidden</a>',400)</script>`;

const opener = defineExtension({
  name: 'opener',
  pageHooks: [
    {
      name: 'all',
      matches: '/shop/',
      settled: async ({ page }) => {
        await page.getByRole('button', { name: 'Everything' }).click();
        await page.locator('#all a').waitFor();
      },
    },
  ],
});

let folder: string;
let site: FixtureServer;
let closed: FixtureServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-endpoint-'));
  closed = await FixtureServer.open({});
  site = await FixtureServer.open({
    '/': members(`<title>home</title><a href=/shop/>shop</a><img src="${closed.url('/secret.png')}"><script>
      setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<a href=/late>late</a>'),4000)</script>`),
    '/late': members('<title>late</title>'),
    '/shop/': members(SHOP),
    '/shop/hidden': members('<title>hidden</title>'),
    '/open': `<title>open</title><img src="${closed.url('/seen.png')}">`,
  });
  await writeFile(join(folder, 'state.json'), JSON.stringify(STATE));
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  ['the DevTools protocol', openCdpEndpoint],
  ['Playwright', openPlaywrightEndpoint],
])('a crawl with a browser at an endpoint of %s', (_name, openEndpoint) => {
  test('is gated, signed in, hooked and archived as with a browser of its own', async () => {
    await using endpoint = await openEndpoint();
    const output = await mkdtemp(join(folder, 'out-'));
    await using crawl = await startCrawl({
      seeds: [site.url('/')],
      delay: 0,
      sitemap: false,
      browser: endpoint.url,
      storageState: join(folder, 'state.json'),
      extensions: [opener],
      snapshot: ['warc'],
      output,
      overwrite: true,
      logLevel: 'warn',
    });
    await crawl.report();
    const pages = await linesOf<PageRecord>(output, 'pages.jsonl');
    expect(pages.map(({ url, title }) => [new URL(url).pathname, title]).toSorted()).toEqual([
      ['/', 'home'],
      ['/late', 'late'],
      ['/shop/', 'shop'],
      ['/shop/hidden', 'hidden'],
    ]);
    const links = await linesOf<LinkRecord>(output, 'links.jsonl');
    expect(links.find(({ to }) => to === site.url('/shop/hidden'))).toMatchObject({ from: site.url('/shop/') });
    expect(closed.asked).toEqual([]);
    const archive = (await readdir(join(output, 'archive'))).filter((name) => name.endsWith('.warc.gz'));
    expect(archive).toHaveLength(1);
    const index = await readFile(join(output, 'archive/index.cdxj'), 'utf8');
    for (const path of ['/', '/late', '/shop/', '/shop/hidden']) expect(index).toContain(`"${site.url(path)}"`);
  });
});

test('an ungated browser is used where that is asked for, and terminal, report and crawl.json say so', async () => {
  await using endpoint = await openPlaywrightEndpoint();
  const given = ['crawl', site.url('/open'), '-o', 'ungated', '--render', 'always', '--no-sitemap'];
  const words = [...given, '--browser', endpoint.url, '--ungated-browser'];
  const { code, output } = await runHere(words, folder);
  expect({ code, output }).toMatchObject({ code: 0 });
  const said = /is ungated \(--ungated-browser\): its pages reach private addresses/g;
  expect(output.match(said)).toHaveLength(2); // once at the start, once in the report
  const file = JSON.parse(await readFile(join(folder, 'ungated/crawl.json'), 'utf8')) as {
    notes: string[];
    options: object;
  };
  expect(file.notes.join('\n')).toMatch(said);
  expect(file.options).toMatchObject({ ungatedBrowser: true });
  expect(closed.paths()).toEqual(['/seen.png']);
});
