/** Slow answers in a whole crawl: every loss is reported. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { runCrawl } from '../support/crawl-run.ts';

const PAGES = 20;
const queryOf = (url: string | undefined): URLSearchParams => new URL(url ?? '', 'http://localhost').searchParams;

/** Pages that request different data from one address: the first answer is slow. */
function routesOf(slow: number): Record<string, Route> {
  const links = Array.from({ length: PAGES }, (_, id) => `<a href="/page/${id}">page</a>`).join('');
  const routes: Record<string, Route> = {
    '/': `<title>start</title>${links}`,
    '/api': (request, response) => {
      const id = queryOf(request.url).get('id');
      wait(id === '0' ? slow : 300)
        .then(() => response.end(`/item/${id}`))
        .catch(() => {});
    },
  };
  for (let id = 0; id < PAGES; id++) {
    routes[`/page/${id}`] = `<title>page ${id}</title><script>
      fetch('/api?id=${id}').then(r=>r.text()).then(u=>document.body.insertAdjacentHTML('beforeend','<a href="'+u+'">item</a>'))</script>`;
    routes[`/item/${id}`] = `<title>item ${id}</title>`;
  }
  return routes;
}

test.each([1, 2])('one slow answer of an address loses no link of 20 pages, with %i workers', async (workers) => {
  await using site = await FixtureServer.open(routesOf(4000));
  const { pages, report } = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'always', workers });
  const items = pages.filter(({ url }) => url.includes('/item/'));
  expect(items).toHaveLength(PAGES);
  expect(report.unanswered).toEqual({ count: 0, longest: null });
});

test('a page that ended while it waited is counted and named', async () => {
  await using site = await FixtureServer.open(routesOf(6000));
  const seeds = [site.url('/')];
  const { pages, report } = await runCrawl({ seeds, delay: 0, render: 'always', settleTimeout: 2000 });
  expect(pages.filter(({ url }) => url.includes('/item/'))).toHaveLength(PAGES - 1);
  expect(report.unanswered).toMatchObject({
    count: 1,
    longest: { url: site.url('/page/0'), request: site.url('/api?id=0') },
  });
  const waited = pages.find(({ url }) => url === site.url('/page/0'));
  expect(waited?.settle).toEqual({ reason: 'timeout', pending: [`fetch ${site.url('/api?id=0')}`] });
});

test('pages of other hosts go on while pages of one wait', async () => {
  const hosts = 6;
  let open = 0;
  let most = 0;
  const slow: Route = (_request, response) => {
    open += 1;
    most = Math.max(most, open);
    wait(2500)
      .then(() => response.end('/came'))
      .catch(() => {})
      .finally(() => (open -= 1));
  };
  const page = `<title>waits</title><script>fetch('/slow').then(r=>r.text()).then(u=>document.body.insertAdjacentHTML('beforeend','<a href="'+u+'">item</a>'))</script>`;
  const sites = await Promise.all(
    Array.from({ length: hosts }, () =>
      FixtureServer.open({ '/': page, '/slow': slow, '/came': '<title>came</title>' }),
    ),
  );
  try {
    const seeds = sites.map((site) => site.url('/'));
    const { pages } = await runCrawl({ seeds, delay: 0, render: 'always', workers: 1 });
    expect(pages.filter(({ url }) => url.endsWith('/came'))).toHaveLength(hosts);
    expect(most).toBeGreaterThan(1);
  } finally {
    await Promise.all(sites.map((site) => site[Symbol.asyncDispose]()));
  }
});
