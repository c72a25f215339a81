/** A host that generates endless sitemaps on request. Whole crawls through the library, and one with the command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forecastCrawl } from '../../src/crawl/forecast/forecast-crawl.ts';
import type { PageRecord, SkippedRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, runCrawl } from '../support/crawl-run.ts';
import { httpOrigin, type HttpOrigin } from '../support/origin.ts';
import { until } from '../support/until.ts';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-sitemaps-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const isSitemap = (path: string): boolean => /^\/(?:index|map)/.test(path);

/** robots.txt, which comes after `before`, names an index of `files` sitemaps with `pages` pages each; each answer takes `took` ms. */
function openSite(
  files: number,
  pages: number,
  { took = 0, before = async (): Promise<void> => {} } = {},
): Promise<HttpOrigin> {
  return httpOrigin((request, response) => {
    const host = `http://${request.headers.host}`;
    const path = request.url ?? '';
    const list = (outer: string, inner: string, count: number, name: (number: number) => string): string => {
      const entries = Array.from(
        { length: count },
        (_, number) => `<${inner}><loc>${host}${name(number)}</loc></${inner}>`,
      );
      return `<?xml version="1.0"?><${outer}>${entries.join('')}</${outer}>`;
    };
    const map = /^\/map-(\d+)/.exec(path)?.[1];
    response.setHeader('content-type', isSitemap(path) ? 'application/xml' : 'text/html');
    const body =
      path === '/robots.txt'
        ? `Sitemap: ${host}/index.xml\n`
        : path === '/index.xml'
          ? list('sitemapindex', 'sitemap', files, (number) => `/map-${number}.xml`)
          : map === undefined
            ? '<title>Page</title>'
            : list('urlset', 'url', pages, (number) => `/page-${map}-${number}`);
    if (path === '/robots.txt') response.setHeader('content-type', 'text/plain');
    const answer = (): void => void response.end(body);
    if (path === '/robots.txt') void before().then(answer);
    else setTimeout(answer, isSitemap(path) ? took : 0);
  });
}

const read = ({ requests }: HttpOrigin): number =>
  requests.filter((line) => isSitemap(line.slice('GET '.length))).length;

describe('an index of 50,000 sitemaps', () => {
  it('is read as far as the limit needs it, and what was left out is said', { timeout: 120_000 }, async () => {
    await using site = await openSite(50_000, 20);
    const run = await runCrawl({ seeds: [`${site.url}/`], limit: 60, render: 'never', delay: 0 });
    expect(run.report).toMatchObject({ end: 'page-limit', state: 'finished' });
    // 4 URLs for each remaining page: 240 or fewer, 20 a file, and two files may be in flight
    expect(read(site)).toBeLessThanOrEqual(1 + 13 + 2);
    expect(read(site)).toBeGreaterThan(1);
    const { discovered, visited, failed, skipped, queued } = run.report.totals;
    expect(visited + failed + skipped + queued).toBe(discovered);
    expect(discovered).toBeLessThan(3000);
    expect(run.skipped.size).toBe(skipped);
    expect(run.skipped.get(`${site.url}/map-400.xml`)).toMatchObject({ reason: 'limit' });
    const [note] = run.report.notes.filter((each) => each.startsWith('sitemaps:'));
    expect(note).toMatch(/^sitemaps: \d+ of 50,001 read; 49,50\d of their entries were left out/);
  });

  it(
    'that nests others without end is read no deeper than three, nor further than 500 files',
    { timeout: 240_000 },
    async () => {
      let made = 0;
      await using site = await httpOrigin((request, response) => {
        const host = `http://${request.headers.host}`;
        const isIndex = isSitemap(request.url ?? '');
        response.setHeader('content-type', isIndex ? 'application/xml' : 'text/html');
        if (request.url === '/robots.txt') response.setHeader('content-type', 'text/plain');
        const entries = Array.from(
          { length: 40 },
          () => `<sitemap><loc>${host}/map-${(made += 1)}.xml</loc></sitemap>`,
        );
        const robots = request.url === '/robots.txt' ? `Sitemap: ${host}/index.xml` : '<title>Page</title>';
        response.end(isIndex ? `<sitemapindex>${entries.join('')}</sitemapindex>` : robots);
      });
      const run = await runCrawl({ seeds: [`${site.url}/`], render: 'never', delay: 0 });
      expect(run.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 1 } });
      expect(read(site)).toBe(500);
      expect(run.skipped.size).toBe(1000);
      const notes = run.report.notes.filter((note) => note.startsWith('sitemaps:'));
      expect(notes).toEqual(['sitemaps: 500 of 20,001 read; 19,501 of their entries were left out']);
    },
  );

  it('is read on when the pages that were named are used up', { timeout: 120_000 }, async () => {
    await using site = await openSite(30, 2);
    const run = await runCrawl({ seeds: [`${site.url}/`], limit: 85, render: 'never', delay: 0 });
    expect(run.pages).toHaveLength(85);
    expect(run.report.outcomes.captured).toBeGreaterThan(50);
    const whole = await runCrawl({ seeds: [`${site.url}/`], render: 'never', delay: 0 });
    expect(whole.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 61, 'not-html': 31 } });
    expect(whole.report.notes.filter((note) => note.startsWith('sitemaps:'))).toEqual([]);
  });

  it('is read though sitemaps of a host that has had its pages stay unread', { timeout: 120_000 }, async () => {
    await using full = await httpOrigin(({ url, headers }, response) => {
      const isRobots = url === '/robots.txt';
      response.setHeader('content-type', isRobots ? 'text/plain' : 'text/html');
      const names = [1, 2].map((number) => `Sitemap: http://${headers.host}/left-${number}.xml`);
      response.end(isRobots ? names.join('\n') : '<title>Page</title>');
    });
    // both sitemaps of the full host wait to be read when this one names its own
    await using site = await openSite(1, 1, { before: () => until(() => full.requests.length === 5, 'the full host') });
    const seeds = [...[1, 2, 3, 4].map((number) => `${full.url}/${number}`), `${site.url}/`];
    const run = await runCrawl({ seeds, limit: 100, hostLimit: 4, render: 'never', delay: 0 });
    expect(run.report.end).toBe('all-visited');
    expect(full.requests.filter((line) => line.includes('/left-'))).toEqual([]);
    expect(site.requests).toEqual(
      ['/robots.txt', '/', '/index.xml', '/map-0.xml', '/page-0-0'].map((path) => `GET ${path}`),
    );
  });

  it('is read on by a crawl that was interrupted and resumed', { timeout: 120_000 }, async () => {
    await using site = await openSite(12, 3);
    const folder = join(base, 'resumed');
    const options = ['--render', 'never', '--delay', '50ms', '--limit', '45', '--workers', '1'];
    const first = runCommand(['crawl', `${site.url}/`, '-o', folder, ...options], base);
    await until(() => read(site) >= 2, `sitemaps: ${first.output()}`);
    first.child.kill('SIGINT');
    expect((await first.ended).code, first.output()).toBe(130);
    const { code, output } = await runHere(['resume', folder], base);
    expect(code, output).toBe(0);
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    expect(pages).toHaveLength(45);
    expect(read(site)).toBeGreaterThan(9);
    expect((await linesOf<SkippedRecord>(folder, 'skipped.jsonl')).every(({ reason }) => reason === 'limit')).toBe(
      true,
    );
  });

  it.each([
    ['--time-limit', ['--time-limit', '5s'], null, 0],
    ['SIGINT', [], 'SIGINT', 130],
  ] as const)('is left at once by %s', { timeout: 120_000 }, async (_what, flags, signal, expected) => {
    await using site = await openSite(50_000, 50, { took: 300 });
    const folder = join(base, `left-${expected}`);
    const options = ['--render', 'never', '--delay', '0', '--workers', '2', ...flags];
    const command = runCommand(['crawl', `${site.url}/`, '-o', folder, ...options], base);
    if (signal !== null) {
      await until(() => read(site) >= 3, `sitemaps: ${command.output()}`);
      command.child.kill(signal);
    }
    const { code, output } = await command.ended;
    expect(code, output).toBe(expected);
    expect(read(site)).toBeLessThan(200);
  });
});

describe('a forecast', () => {
  it('reads no more sitemaps than the limit needs, nor beyond the time limit', { timeout: 120_000 }, async () => {
    await using site = await openSite(50_000, 30, { took: 250 });
    const seeds = [`${site.url}/`];
    const limited = await forecastCrawl({ seeds, render: 'never', limit: 20 });
    expect(limited.sitemaps).toMatchObject({ files: 4, named: 90, truncated: true });
    const { sitemaps } = await forecastCrawl({ seeds, render: 'never', timeLimit: 600 });
    expect(sitemaps.files).toBeLessThan(6);
    expect(sitemaps.truncated).toBe(true);
    expect(read(site)).toBeLessThan(10);
  });
});
