/** How far a crawl goes: limits and scope, on whole sites. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOfEnd } from '../../src/cli/exit-code.ts';
import { resumeCrawl, startCrawl } from '../../src/crawl/start-crawl.ts';
import { storedBytes } from '../../src/crawl/folder/stored-size.ts';
import { explainUrl } from '../../src/inspect/explain-url.ts';
import type { SkippedRecord } from '../../src/model/record.ts';
import type { CrawlOptions } from '../../src/options/options.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { writeGraphSite } from '../support/graph-site.ts';
import { temporaryFixture, temporarySite } from '../support/temporary-site.ts';

const page = (...hrefs: readonly string[]): string =>
  `<!doctype html><title>Page</title>${hrefs.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')}`;

const byPath = ([one = '']: readonly string[], [other = '']: readonly string[]): number => (one < other ? -1 : 1);

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-limits-'));
  await writeGraphSite(join(base, 'site'), 40, 5, 3);
});
afterAll(() => rm(base, { recursive: true, force: true }));

function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  const { discovered, visited, failed, queued } = totals;
  expect(visited + failed + totals.skipped + queued).toBe(discovered);
  expect([pages.length, skipped.size]).toEqual([visited + failed, totals.skipped]);
}

describe('--limit', () => {
  it.each([1, 7])('%i ends the crawl after just so many pages, with several at work', async (limit) => {
    const run = await runCrawl({ render: 'never', seeds: [join(base, 'site')], limit, workers: 4, hostConcurrency: 4 });
    expect(run.report).toMatchObject({ end: 'page-limit', state: 'finished' });
    expect(run.pages).toHaveLength(limit);
    expect(run.report.totals.queued).toBeGreaterThan(0);
    expectBalance(run);
  });

  it('does not count redirects, and does count errors', async () => {
    await using site = await temporarySite({
      'site.json': JSON.stringify({
        routes: { '/r1': { redirect: '/r2' }, '/r2': { redirect: '/a' }, '/gone': { status: 410, body: page() } },
      }),
      'www/index.html': page('/r1', '/gone', '/b', '/c', '/d'),
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`www/${name}.html`, page()])),
    });
    const run = await runCrawl({ render: 'never', seeds: [site.server.url], delay: 0, limit: 6 });
    const { captured = 0, redirected = 0, 'http-error': errors = 0 } = run.report.outcomes;
    expect(captured + errors).toBe(6);
    expect(run.pages).toHaveLength(6 + redirected);
    expectBalance(run);
  });

  it('is no end of its own where there are fewer pages', async () => {
    await using site = await temporarySite({ 'site.json': '{}', 'www/index.html': page() });
    const run = await runCrawl({ render: 'never', seeds: [site.server.url], limit: 2 });
    expect(run.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 1 } });
  });
});

describe('--host-limit', () => {
  it('holds for each host, whatever leads there, and what is left is skipped with the rule', async () => {
    await using site = await openFixture('two-hosts');
    const run = await runCrawl({
      render: 'never',
      seeds: [site.url],
      delay: 0,
      scope: 'domain',
      hostLimit: 2,
      workers: 4,
    });
    expect(run.report).toMatchObject({ end: 'all-visited', state: 'finished', totals: { queued: 0 } });
    const hosts = new Map<string, number>();
    for (const { url, outcome } of run.pages)
      if (outcome !== 'redirected') hosts.set(new URL(url).host, (hosts.get(new URL(url).host) ?? 0) + 1);
    expect([...hosts.values()]).toEqual([2, 2]);
    const left = [...run.skipped.values()].filter(({ reason }) => reason === 'host-limit');
    expect(left.map(({ url }) => new URL(url).pathname)).toEqual(['/from-the-docs']);
    expect(left[0]?.rule).toBe('host limit: 2 pages of the host had been visited');
    expectBalance(run);
  });

  it('does not count redirects, and does count errors', async () => {
    await using site = await temporarySite({
      'site.json': JSON.stringify({ routes: { '/r1': { redirect: '/a' }, '/gone': { status: 410, body: page() } } }),
      'www/index.html': page('/r1', '/gone'),
      'www/a.html': page('/b', '/c', '/d'),
      ...Object.fromEntries(['b', 'c', 'd'].map((name) => [`www/${name}.html`, page()])),
    });
    const run = await runCrawl({ render: 'never', seeds: [site.server.url], delay: 0, hostLimit: 4 });
    const { redirected = 0 } = run.report.outcomes;
    expect(run.pages).toHaveLength(4 + redirected);
    expect(run.report.skipped['host-limit']).toBeGreaterThan(0);
    expectBalance(run);
  });

  it('may be higher when an interrupted crawl is resumed, which goes on where it ended', async () => {
    const folder = join(base, 'raised');
    const seeds = [join(base, 'site')];
    const crawl = await startCrawl({
      render: 'never',
      seeds,
      output: folder,
      hostLimit: 3,
      delay: 200,
      hostConcurrency: 1,
      sitemap: false,
    });
    for await (const event of crawl) if (event.kind === 'page') crawl.stop('drain');
    const before = await crawl.report();
    expect(before).toMatchObject({ end: 'interrupted', totals: { skipped: 0 } });
    await using again = await resumeCrawl(folder, { hostLimit: 6, delay: 0 });
    const report = await again.report();
    expect(report).toMatchObject({ end: 'all-visited', totals: { visited: 6, queued: 0 } });
    expect(report.skipped['host-limit']).toBe(report.totals.skipped);
    const [left] = await linesOf<SkippedRecord>(folder, 'skipped.jsonl');
    const { standing, skipped } = await explainUrl(folder, left?.url ?? '');
    expect({ standing, reason: skipped?.reason }).toEqual({ standing: 'skipped', reason: 'host-limit' });
  });
});

describe('--size-limit', () => {
  it('ends the crawl with 0 when the folder has so much of pages, and says so', async () => {
    const folder = join(base, 'size');
    const args = [
      'crawl',
      'site',
      '-o',
      folder,
      '--size-limit',
      '4kb',
      '--delay',
      '0',
      '--no-robots',
      '-w',
      '1',
      '--render',
      'never',
    ];
    const { code, output } = await runCommand(args, base).ended;
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^Finished at the size limit: \d+ pages? /m);
    expect(output).toMatch(/, [1-9]\d* still queued\./);
    expect(await storedBytes(folder)).toBeGreaterThanOrEqual(4096);
  });

  it('is no end of its own where there is less, and visits nothing where a resumed crawl has it already', async () => {
    const seeds = [join(base, 'site')];
    const whole = await runCrawl({ render: 'never', seeds, sizeLimit: 1024 ** 3 });
    expect(whole.report.end).toBe('all-visited');
    const folder = join(base, 'full');
    const crawl = await startCrawl({ render: 'never', seeds, output: folder, delay: 200 });
    for await (const event of crawl) if (event.kind === 'page') crawl.stop('drain');
    const { totals } = await crawl.report();
    await using again = await resumeCrawl(folder, { sizeLimit: 100 });
    const report = await again.report();
    expect(report).toMatchObject({ end: 'size-limit', state: 'finished', visitsOfRun: 0 });
    expect(report.totals.visited).toBe(totals.visited);
  });
});

describe('--depth', () => {
  it.each([
    [0, ['/']],
    [1, ['/', '/a', '/to']],
    [2, ['/', '/a', '/b', '/to']],
  ])('%i follows so many links from a seed; a redirect is none', async (depth, expected) => {
    await using site = await temporarySite({
      'site.json': JSON.stringify({ routes: { '/from': { redirect: '/to' } } }),
      'www/index.html': page('/a', '/from'),
      'www/a.html': page('/b'),
      'www/b.html': page('/c'),
      'www/c.html': page(),
      'www/to.html': page('/b'),
    });
    const run = await runCrawl({ render: 'never', seeds: [site.server.url], delay: 0, depth, sitemap: false });
    expect(pathsOf(run)).toEqual(expected);
    expect(run.report.end).toBe('all-visited');
    const reasons = new Set([...run.skipped.values()].map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['depth']));
    expectBalance(run);
  });
});

describe('--time-limit', () => {
  it('ends the crawl with 0, finishes the page in flight and says what is left', async () => {
    const folder = join(base, 'time');
    const args = [
      'crawl',
      'site',
      '-o',
      folder,
      '--time-limit',
      '2s',
      '--delay',
      '200ms',
      '--no-robots',
      '--render',
      'never',
    ];
    const { code, output } = await runCommand(args, base).ended;
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^Finished at the time limit: \d+ pages? /m);
    expect(output).toMatch(/, [1-9]\d* still queued\./);
  });

  it('leaves counters that add up', async () => {
    const run = await runCrawl({ render: 'never', seeds: [join(base, 'site')], timeLimit: 600, delay: 150 });
    expect(run.report).toMatchObject({ end: 'time-limit', state: 'finished' });
    expect(run.report.totals.queued).toBeGreaterThan(0);
    expectBalance(run);
  });
});

describe('--include and --exclude', () => {
  it('skip what they do not mean, with the pattern as the reason, and spare the seeds', async () => {
    await using site = await temporarySite({
      'site.json': '{}',
      'www/index.html': page('/docs/a', '/docs/private/b', '/news/c'),
      'www/docs/a.html': page(),
      'www/docs/private/b.html': page(),
      'www/news/c.html': page(),
    });
    const run = await runCrawl({
      render: 'never',
      seeds: [site.server.url],
      delay: 0,
      include: ['/docs/'],
      exclude: ['/private/'],
      sitemap: false,
    });
    expect(pathsOf(run)).toEqual(['/', '/docs/a']);
    const rules = [...run.skipped.values()].map(({ url, reason, rule }) => [new URL(url).pathname, reason, rule]);
    expect(rules.toSorted(byPath)).toEqual([
      ['/docs/private/b', 'out-of-scope', expect.stringContaining('/private/')],
      ['/news/c', 'out-of-scope', expect.stringContaining('include')],
    ]);
    expectBalance(run);
  });
});

describe('--scope', () => {
  /** Pages that a crawl of fixtures/sites/two-hosts came to, as `host/path`; captured pages only. */
  async function reached(options: Partial<CrawlOptions>): Promise<readonly string[]> {
    await using site = await openFixture('two-hosts');
    const run = await runCrawl({ render: 'never', seeds: [site.url], delay: 0, ...options });
    expectBalance(run);
    expect(exitCodeOfEnd(run.report.end, null)).toBe(0);
    return run.pages
      .filter(({ outcome }) => outcome === 'captured')
      .map(({ url }) => new URL(url))
      .map(({ hostname, pathname }) => `${hostname.replace('.localhost', '')}${pathname}`)
      .toSorted();
  }

  it.each<[NonNullable<CrawlOptions['scope']>, readonly string[]]>([
    ['page', ['example/']],
    ['host', ['example/', 'example/about']],
    ['domain', ['docs.example/', 'docs.example/guide', 'example/', 'example/about', 'example/from-the-docs']],
  ])('%s goes no further', async (scope, expected) => {
    expect(await reached({ scope })).toEqual(expected);
  });

  it('any goes to every host that is linked', async () => {
    const pages = await reached({ scope: 'any' });
    expect(pages).toEqual(expect.arrayContaining(['docs.example/guide', 'example/about', 'other/']));
  });

  it('prefix stays below the folder of the seed', async () => {
    await using site = await temporarySite({
      'site.json': '{}',
      'www/docs/index.html': page('/docs/a', '/docs/deep/b', '/docsother', '/', '../news'),
      'www/docs/a.html': page(),
      'www/docs/deep/b.html': page(),
      'www/docsother.html': page(),
      'www/news.html': page(),
      'www/index.html': page(),
    });
    const run = await runCrawl({
      render: 'never',
      seeds: [`${site.server.url}docs/`],
      delay: 0,
      scope: 'prefix',
      sitemap: false,
    });
    expect(pathsOf(run)).toEqual(['/docs/', '/docs/a', '/docs/deep/b']);
    expect([...run.skipped.keys()].map((url) => new URL(url).pathname).toSorted()).toEqual([
      '/',
      '/docsother',
      '/news',
    ]);
    expectBalance(run);
  });
});

describe('exit code 3', () => {
  const codeOf = ({ report }: CrawlRun): number => exitCodeOfEnd(report.end, null);

  it('says that robots.txt forbids every seed', async () => {
    await using site = await temporarySite({
      'site.json': JSON.stringify({
        routes: { '/robots.txt': { body: 'User-agent: *\nDisallow: /', headers: { 'content-type': 'text/plain' } } },
      }),
      'www/index.html': page(),
    });
    const run = await runCrawl({ render: 'never', seeds: [site.server.url], delay: 0 });
    expect(codeOf(run)).toBe(3);
    expect(run.report.cause).toContain('disallowed-by-robots');
    expectBalance(run);
  });

  it('says that every host was given up: reset, no HTTP, and a redirect to nobody', async () => {
    await using site = await temporaryFixture({
      'site.json': JSON.stringify({
        hosts: { one: 'www', two: 'www', three: 'www' },
        routes: {
          'one:/': { fault: 'reset' },
          'two:/': { fault: 'garbage' },
          'three:/': { redirect: 'http://127.0.0.1:1/' },
        },
      }),
      'www/empty.txt': '',
    });
    const seeds = [...site.server.origins.values()].map((origin) => `${origin}/`);
    const run = await runCrawl({ render: 'never', seeds, delay: 0, retries: 0 });
    expect(codeOf(run)).toBe(3);
    expect(run.report.outcomes).toMatchObject({ unreachable: 2, redirected: 1 });
    expect(run.report.cause).toMatch(/^http:/);
    expectBalance(run);
  });

  it('is not the end of a crawl of which some seeds failed', async () => {
    await using site = await temporaryFixture({
      'site.json': JSON.stringify({ hosts: { one: 'www', two: 'www' }, routes: { 'one:/': { fault: 'reset' } } }),
      'www/index.html': page(),
    });
    const seeds = [...site.server.origins.values()].map((origin) => `${origin}/`);
    const run = await runCrawl({ render: 'never', seeds, delay: 0, retries: 0 });
    expect([codeOf(run), run.report.outcomes]).toEqual([0, { unreachable: 1, captured: 1 }]);
  });
});
