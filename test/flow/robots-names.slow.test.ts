/**
 * Paths in the rules of robots.txt, and a sitemap that it does not name. No page has a script, so most crawls have no
 * browser at hand: its start costs more than all the rest.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forecastCrawl } from '../../src/crawl/forecast/forecast-crawl.ts';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { explainUrl } from '../../src/inspect/explain-url.ts';
import { pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { temporarySite, type TemporarySite } from '../support/temporary-site.ts';

const XML = { 'content-type': 'application/xml' };
const urlset = (...paths: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>${path}</loc></url>`)
    .join('')}</urlset>`;

interface Given {
  readonly robots?: string;
  readonly routes?: Readonly<Record<string, unknown>>;
}

const open = ({ robots, routes = {} }: Given): Promise<TemporarySite> =>
  temporarySite({
    'site.json': JSON.stringify({ routes }),
    ...(robots === undefined ? {} : { 'www/robots.txt': robots }),
    'www/index.html': '<p><a href="/linked">linked</a>',
    'www/linked.html': '<p>linked',
    'www/orphan.html': '<p>orphan',
  });

const asked = (site: TemporarySite): readonly string[] => site.server.requests().map(({ path }) => path);
const skippedOf = ({ skipped }: CrawlRun): readonly string[] =>
  [...skipped.values()].map(({ url, reason }) => `${new URL(url).pathname} ${reason}`).toSorted();

describe('the usual place of a sitemap', () => {
  it.each([
    ['there is no robots.txt', {}],
    ['robots.txt names none', { robots: 'User-agent: *\nDisallow: /no\n' }],
  ])('is asked where %s, and what is there is read as a sitemap', async (_where, given) => {
    await using site = await open({ ...given, routes: { '/sitemap.xml': { body: urlset('/orphan'), headers: XML } } });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0 });
    expect(pathsOf(run)).toEqual(['/', '/linked', '/orphan']);
    expect(pathsOf(run, 'not-html')).toEqual(['/sitemap.xml']);
    const entry = run.links.find(({ to }) => to.endsWith('/orphan'));
    expect(entry).toMatchObject({ kind: 'sitemap', confidence: 'high', new: true });
    expect(run.pages.find(({ url }) => url.endsWith('/orphan'))).toMatchObject({ depth: 1 });
  });

  it.each<[string, unknown, RegExp]>([
    ['is not there', { status: 404, body: 'no' }, /status 404$/],
    ['fails', { status: 500, body: 'no' }, /status 500$/],
    [
      'is a page like any other that is not there',
      { body: '<p>Welcome <a href="/invented">x</a>' },
      /there is not a sitemap$/,
    ],
    [
      'is a feed',
      { body: '<rss><channel><link>/invented</link></channel></rss>', headers: XML },
      /there is not a sitemap$/,
    ],
    ['leads home', { redirect: '/' }, /leads elsewhere$/],
  ])('that %s is no failure, and nothing of it enters the crawl', async (_what, route, rule) => {
    await using site = await open({ routes: { '/sitemap.xml': route } });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, workers: 1, render: 'never' });
    expect(run.report).toMatchObject({ end: 'all-visited', failures: [], notes: [] });
    expect(run.report.totals).toMatchObject({ discovered: 3, visited: 2, failed: 0, skipped: 1, queued: 0 });
    expect(run.report.skipped).toEqual({ probe: 1 });
    expect([...run.skipped.values()][0]?.rule).toMatch(rule);
    expect(run.links.map(({ to }) => new URL(to).pathname)).toEqual(['/linked']);
    expect(asked(site).filter((path) => path === '/sitemap.xml')).toHaveLength(1);
  });

  it('is followed to where it leads, as long as that may be a sitemap', async () => {
    const routes = {
      '/sitemap.xml': { redirect: '/sitemap_index.xml' },
      '/sitemap_index.xml': {
        body: '<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>',
        headers: XML,
      },
      '/pages.xml': { body: urlset('/orphan'), headers: XML },
    };
    await using site = await open({ routes });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never' });
    expect(pathsOf(run)).toEqual(['/', '/linked', '/orphan']);
    expect(pathsOf(run, 'not-html')).toEqual(['/pages.xml', '/sitemap_index.xml']);
    expect(skippedOf(run)).toEqual(['/sitemap.xml probe']);
  });

  it.each<[string, Given, Parameters<typeof runCrawl>[0] | object]>([
    ['robots.txt names another', { robots: 'Sitemap: /other.xml\n' }, {}],
    ['robots.txt forbids it', { robots: 'User-agent: *\nDisallow: /sitemap\n' }, {}],
    ['sitemaps are not wanted', {}, { sitemap: false }],
    ['robots.txt is not asked', {}, { robots: false }],
    ['one page is the scope', {}, { scope: 'page' }],
    ['only seeds are visited', {}, { depth: 0 }],
    ['it is excluded', {}, { exclude: ['sitemap'] }],
  ])('is not asked where %s', async (_where, given, options) => {
    await using site = await open(given);
    await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', ...options });
    expect(asked(site)).not.toContain('/sitemap.xml');
  });

  it('is asked as politely as any other URL', async () => {
    await using site = await open({});
    const run = await runCrawl({ seeds: [site.server.url], delay: 300, render: 'never' });
    expect(pathsOf(run)).toEqual(['/', '/linked']);
    const times = site.server.requests().map(({ at }) => at);
    expect(asked(site)).toHaveLength(4);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? Number.NaN));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(299);
  });

  it('is asked by a forecast, too, and counts there only where it is one', async () => {
    await using with_ = await open({
      routes: { '/sitemap.xml': { body: urlset('/orphan', '/linked', '/'), headers: XML } },
    });
    expect((await forecastCrawl({ seeds: [with_.server.url], render: 'never' })).sitemaps).toMatchObject({
      files: 1,
      named: 3,
    });
    await using without = await open({});
    const { sitemaps } = await forecastCrawl({ seeds: [without.server.url], render: 'never' });
    expect(sitemaps).toEqual({ files: 0, named: 0, pages: 0, truncated: false });
  });
});

describe('the paths of robots.txt', () => {
  const robots = [
    'User-agent: *',
    'Disallow: /forbidden',
    'Disallow: /*.pdf$',
    'Allow: /allowed',
    '',
    'User-agent: others',
    'Disallow: /orphan',
    'Disallow: /wrong',
  ].join('\n');

  it('are lines of links.jsonl: forbidden ones are never asked for, others are speculative links', async () => {
    await using site = await open({ robots });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, sitemap: false });
    const lines = run.links.filter(({ kind }) => kind === 'robots');
    expect(lines.map(({ href, confidence, context }) => [href, confidence, context])).toEqual([
      ['/forbidden', 'low', 'robots.txt Disallow'],
      ['/allowed', 'low', 'robots.txt Allow'],
      ['/orphan', 'low', 'robots.txt Disallow'],
      ['/wrong', 'low', 'robots.txt Disallow'],
    ]);
    expect(asked(site)).not.toContain('/forbidden');
    expect(skippedOf(run)).toEqual(['/forbidden disallowed-by-robots']);
    expect(pathsOf(run)).toEqual(['/', '/linked', '/orphan']);
    // an empty address that no page links to is no failure of the site
    expect(run.report.failures).toEqual([]);
  });

  it('are none where robots.txt is not asked', async () => {
    await using site = await open({ robots });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', robots: false });
    expect(run.links.map(({ kind }) => kind)).toEqual(['anchor']);
  });

  it('are known to explain, with the line', async () => {
    await using site = await open({ robots });
    const output = await mkdtemp(join(tmpdir(), 'orbweaver-robots-names-'));
    try {
      await using crawl = await startCrawl({
        seeds: [site.server.url],
        output,
        overwrite: true,
        delay: 0,
        render: 'never',
        snapshot: [],
      });
      await crawl.report();
      const forbidden = await explainUrl(output, '/forbidden');
      expect(forbidden).toMatchObject({ standing: 'skipped', robots: 'Disallow: /forbidden (line 2)' });
      expect(forbidden.inLinks.byKind).toEqual({ robots: 1 });
      expect((await explainUrl(output, '/orphan')).inLinks.byKind).toEqual({ robots: 1 });
      const place = await explainUrl(output, '/sitemap.xml');
      expect(place).toMatchObject({ standing: 'skipped', skipped: { reason: 'probe' } });
    } finally {
      await rm(output, { recursive: true, force: true });
    }
  });
});
