/** Endless sites: a crawl without a limit ends nevertheless, with every page that matters. */
import { describe, expect, it } from 'vitest';
import { trapWorld, type WorldAnswer } from '../bench/trap-world.mjs';
import { runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { openTrapSite } from '../support/trap-sites.ts';

const capturedOf = ({ pages }: CrawlRun): readonly string[] =>
  pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => url);

/** Expects URLs over budget to be reported, and the counters to add up. */
function expectTold({ report: { totals, suspectedTraps }, pages, skipped }: CrawlRun): void {
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
  const rules = new Set([...skipped.values()].filter(({ reason }) => reason === 'trap').map(({ rule }) => rule));
  for (const { held, rule } of suspectedTraps) if (held > 0) expect(rules).toContain(rule);
}

describe('a site without an end', () => {
  // name, and the most pages that may be fetched besides the good ones
  it.each([
    ['calendar-trap', 200],
    ['facets', 300],
    ['soft-404-echo', 350],
    ['soft-404-everything', 150],
    ['soft-404-redirect-home', 200],
  ])('%s is left after its good pages and at most %i others, and its pattern is told', async (name, others) => {
    await using site = await openTrapSite(name);
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never' });
    expect(run.report.end).toBe('all-visited');
    expect(capturedOf(run)).toEqual(expect.arrayContaining([...site.good]));
    expect(run.pages.length).toBeLessThanOrEqual(site.good.length + others);
    expect(run.report.suspectedTraps.filter(({ pattern }) => site.isEndless(pattern))).not.toEqual([]);
    expectTold(run);
  });

  it('repeated-segments ends by the rule that no name comes three times in a path', async () => {
    await using site = await openTrapSite('repeated-segments');
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never' });
    expect(run.report.end).toBe('all-visited');
    expect(capturedOf(run)).toEqual(expect.arrayContaining([...site.good]));
    expect(run.pages.length).toBeLessThanOrEqual(site.good.length + 30);
  });

  it.each(['link-farm', 'wildcard-subdomains'])(
    '%s, whose every page says something new, comes after the good pages',
    async (name) => {
      await using site = await openTrapSite(name);
      const options = Object.fromEntries(Object.entries(site.options));
      const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', ...options, limit: 60 });
      expect(capturedOf(run)).toEqual(expect.arrayContaining([...site.good]));
    },
  );

  it('is none where forty applications stand beside each other, whose pages all say what their starter says', async () => {
    const APPLICATIONS = 40;
    const ROUTES = 8;
    const text = 'Edit the file of the application and save it to see what changes. '.repeat(3);
    await using origin = await httpOrigin((request, response) => {
      const [, application, route = '0'] = /^\/app(\d+)\/(?:r(\d+)-of-\d+)?$/.exec(request.url ?? '') ?? [];
      const links =
        application === undefined
          ? Array.from({ length: APPLICATIONS }, (_, index) => `/app${index + 1}/`)
          : [1, 2].map((step) => `/app${application}/r${Number(route) + step}-of-${application}`);
      const isThere = Number(application) <= APPLICATIONS && Number(route) <= ROUTES;
      const known = request.url === '/' || isThere;
      const body = links.map((href) => `<a href="${href}">on</a>`).join(' ');
      response.writeHead(known ? 200 : 404, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>Starter</title><p>${request.url === '/' ? 'All' : text}</p>${body}`);
    });
    const run = await runCrawl({ seeds: [`${origin.url}/`], delay: 0, render: 'never' });
    expect(run.report.suspectedTraps).toEqual([]);
    expect(capturedOf(run)).toHaveLength(1 + APPLICATIONS * (1 + ROUTES));
    expectTold(run);
  });

  it('is followed with --follow-traps, up to the limit', async () => {
    await using site = await openTrapSite('calendar-trap');
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', followTraps: ['.'], limit: 250 });
    expect(run.report).toMatchObject({ end: 'page-limit', suspectedTraps: [] });
    expect([...run.skipped.values()].filter(({ reason }) => reason === 'trap')).toEqual([]);
    expect(run.pages).toHaveLength(250);
  });
});

const worldOrigin = (answer: (target: string) => WorldAnswer): Promise<HttpOrigin> =>
  httpOrigin((request, response) => {
    const { status, type, body } = answer(request.url ?? '/');
    response.writeHead(status, { 'content-type': type }).end(body);
  });

describe('a soft-404 probe', () => {
  it('is leased, delayed and recorded like any other URL, and nothing is fetched that is not', async () => {
    const delay = 20;
    await using site = await openTrapSite('soft-404-everything');
    const run = await runCrawl({ seeds: [site.server.url], delay, render: 'never' });
    const probes = [...run.skipped.values()].filter(({ reason }) => reason === 'probe');
    expect(probes.map(({ rule }) => rule)).toContainEqual(expect.stringMatching(/^soft-404 probe for http.*no end/));
    for (const { referrer } of probes) expect(capturedOf(run)).toContain(referrer);
    const fetched = site.server.requests().filter(({ path }) => path !== '/robots.txt');
    const recorded = new Set([...run.pages, ...probes].map(({ url }) => url));
    expect(fetched.map(({ path }) => new URL(path, site.server.url).href).filter((url) => !recorded.has(url))).toEqual(
      [],
    );
    const pauses = fetched.slice(1).map(({ at }, index) => at - (fetched[index]?.at ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(delay);
    expectTold(run);
  });
});

describe('a site of 300 good pages with traps in its navigation', () => {
  it.each([
    ['answers whatever is asked for, and links on', true, 1200],
    ['answers 404 for what is not there', false, 500],
  ])('that %s is crawled whole, and the crawl ends by itself', async (_, echoes, others) => {
    const world = trapWorld({ pages: 300, echoes });
    await using origin = await worldOrigin((target) => world.answer(target));
    const run = await runCrawl({ seeds: [origin.url], delay: 0, render: 'never' });
    const captured = new Set(capturedOf(run).map((url) => url.slice(origin.url.length)));
    expect(world.good.filter((path) => !captured.has(path))).toEqual([]);
    expect(run.report.end).toBe('all-visited');
    expect(run.pages.length).toBeLessThanOrEqual(world.good.length + others);
    expectTold(run);
  });
});

describe('a site whose pages differ in a number alone', () => {
  const PAGES = 400;
  const numbered = (
    next: (page: number) => readonly number[],
    isThere: (page: number) => boolean,
  ): Promise<HttpOrigin> =>
    worldOrigin((target) => {
      const page = Number(/^\/page\/(\d+)$/.exec(target)?.[1] ?? 1);
      const links = next(page).filter((to) => to <= PAGES);
      const body = `<h1>Page ${page}</h1>${links.map((to) => `<p><a href="/page/${to}">Page ${to}</a></p>`).join('')}`;
      return {
        status: isThere(page) ? 200 : 404,
        type: 'text/html',
        body: `<!doctype html><title>Page</title>${body}`,
      };
    });

  it.each<[string, Parameters<typeof numbered>]>([
    ['that knows which there are, each named by the one before', [(page) => [page + 1], (page) => page <= PAGES]],
    ['that knows which there are, each naming two', [(page) => [2 * page, 2 * page + 1], (page) => page <= PAGES]],
    ['that answers for every number, and names those that there are', [(page) => [2 * page, 2 * page + 1], () => true]],
  ])('%s, is crawled whole', async (_, [next, isThere]) => {
    await using origin = await numbered(next, isThere);
    const run = await runCrawl({ seeds: [`${origin.url}/page/1`], delay: 0, render: 'never', sitemap: false });
    expect(capturedOf(run)).toHaveLength(PAGES);
    expect(run.report.suspectedTraps).toEqual([]);
    const pages = new Set(run.pages.map(({ url }) => `GET ${url.slice(origin.url.length)}`));
    const others = origin.requests.filter((request) => !pages.has(request) && request !== 'GET /robots.txt');
    expect(others).toEqual([expect.stringMatching(/^GET \/page\/[1-9]\d{8}$/)]);
  });
});
