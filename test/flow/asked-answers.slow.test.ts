/** `--render auto`: pages that scripts fill from an API are read by requesting the API, if its answers contain what a browser shows. */
import { expect, test } from 'vitest';
import { edgesOf, urlsOf } from '../support/again-site.ts';
import { both, PRODUCTS, readOnly, shop } from '../support/api-shop.ts';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { FixtureServer } from '../render/fixture-server.ts';

const textsOf = ({ links }: CrawlRun): readonly string[] =>
  links
    .filter(({ kind }) => kind === 'anchor')
    .map(({ from, href, text }) => `${new URL(from).pathname} ${href} ${text}`)
    .toSorted();

test('a page of a shop is read by its markup and the answer of its API, and each is asked for once', async () => {
  const { always, auto, asked } = await both({});
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  expect(edgesOf(auto)).toEqual(edgesOf(always));
  expect(textsOf(auto)).toEqual(textsOf(always));
  expect(readOnly(auto)).toBeGreaterThan(PRODUCTS / 2);
  // a page that is only read is recorded with its own title and the words of the answer
  const shown = new Map(always.pages.map(({ url, title, words }) => [new URL(url).pathname, { title, words }]));
  for (const page of auto.pages.filter(({ rendered, url }) => !rendered && url.includes('/product/'))) {
    expect(page.title).toBe(shown.get(new URL(page.url).pathname)?.title);
    expect(page.words).toBe(shown.get(new URL(page.url).pathname)?.words);
  }
  const times = (start: string): number => asked.filter((line) => line.startsWith(`GET ${start}`)).length;
  for (let number = 0; number < PRODUCTS; number += 1)
    expect(asked.filter((line) => line === `GET /product/thing-${number}`)).toHaveLength(1);
  // the browser has requested the API of the compared pages, too
  expect(times('/api/')).toBeLessThanOrEqual(PRODUCTS + (PRODUCTS - readOnly(auto)));
});

test('an API that pages of another origin ask gets no header that is meant for it', async () => {
  const routes = (base: string) =>
    shop({ headers: { 'access-control-allow-origin': '*' }, ask: `fetch('${base}api/products/' + id)` });
  await using api = await FixtureServer.open(routes(''));
  await using site = await FixtureServer.open(routes(api.url('/')));
  const run = await runCrawl({
    seeds: [site.url('/')],
    delay: 0,
    workers: 1,
    render: 'auto',
    headers: ['X-Key: secret'],
    headerOrigins: [api.url('/')],
    httpAuth: [`alice:secret@${api.url('/').slice(0, -1)}`],
    allowPrivate: ['127.0.0.0/8'],
  });
  expect(readOnly(run)).toBeGreaterThan(PRODUCTS / 2);
  expect(api.requests.length).toBeGreaterThanOrEqual(PRODUCTS);
  const told = api.requests.map(({ headers }) => headers['x-key'] ?? headers.authorization ?? 'nothing');
  expect(new Set(told)).toEqual(new Set(['nothing']));
});
