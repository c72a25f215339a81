/** Hosts that fail: pauses, circuits, and what the summary, crawl.json and the exit code report. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOfEnd } from '../../src/cli/exit-code.ts';
import type { PageRecord } from '../../src/model/record.ts';
import type { ServedRequest } from '../../src/site-server/site-server.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf, pathsOf, runCrawl, type CrawlRun } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { temporaryFixture, type TemporarySite } from '../support/temporary-site.ts';

/** Milliseconds: timers may fire a little early, and the server logs the arrival of a request, not when it was sent. */
const EARLY = 5;

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-circuits-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const page = (...hrefs: readonly string[]): string =>
  `<!doctype html><title>Page</title>${hrefs.map((href) => `<p><a href="${href}">${href}</a></p>`).join('')}`;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** An overloaded server's answer, with a wait of one second each time. */
const REFUSAL = { status: 429, body: page(), headers: { 'retry-after': '1' } };

function expectBalance({ report: { totals }, pages, skipped }: CrawlRun): void {
  expect(totals.visited + totals.failed + totals.skipped + totals.queued).toBe(totals.discovered);
  expect([pages.length, skipped.size]).toEqual([totals.visited + totals.failed, totals.skipped]);
}

function oneHost(routes: Readonly<Record<string, unknown>>, start: string): Promise<TemporarySite> {
  return temporaryFixture({ 'site.json': JSON.stringify({ routes }), 'www/index.html': start });
}

const requestsFor = (site: TemporarySite, begin: string): readonly ServedRequest[] =>
  site.server.requests().filter(({ path }) => path.startsWith(begin));

describe('a host that fails five times in a row', () => {
  const links = range(12).map((index) => `/down/${index}`);

  it('is given up: nothing more is asked of it, the command ends with 3 and says why, and the rest can be resumed', async () => {
    await using site = await oneHost({ '/down/*': REFUSAL }, page(...links));
    const folder = join(base, 'one');
    const args = [
      'crawl',
      '--no-sitemap',
      site.server.url,
      '-o',
      folder,
      '--delay',
      '0',
      '--render',
      'never',
      '--host-concurrency',
      '1',
    ];
    const { code, output } = await runHere(args, base);
    expect(code, output).toBe(3);
    expect(requestsFor(site, '/down/')).toHaveLength(5);
    expect(output).toMatch(/Given up: every host that was left failed too often/);
    expect(output).toMatch(/Hosts given up[\s\S]*http:\/\/127\.0\.0\.1:\d+[\s\S]*5 failures in a row/);
    expect(output).toMatch(/Resume: .* resume/);
    const file: unknown = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8'));
    const host = new URL(site.server.url).origin;
    expect(file).toMatchObject({
      state: 'failed',
      end: 'hosts-given-up',
      // the five tries were for five pages: others come before one that failed
      totals: { discovered: 13, visited: 1, failed: 0, skipped: 0, queued: 12 },
      hostsGivenUp: [{ host, failures: 5, queued: 12, why: '5 failures in a row' }],
    });
    expect(await linesOf<PageRecord>(folder, 'pages.jsonl')).toHaveLength(1);
    const again = await runHere(['resume', folder], base);
    expect(again.code, again.output).toBe(3);
    expect(requestsFor(site, '/down/')).toHaveLength(5);
  });

  it('costs no page of another host: that is crawled to its end', async () => {
    const site = JSON.stringify({ hosts: { up: 'up', down: 'down' }, routes: { 'down:/down/*': REFUSAL } });
    await using server = await temporaryFixture({
      'site.json': site,
      'up/index.html': page(...range(8).map((index) => `/p${index}.html`)),
      ...Object.fromEntries(range(8).map((index) => [`up/p${index}.html`, page()])),
      'down/index.html': page(...links),
    });
    const seeds = [...server.server.origins.values()].map((origin) => `${origin}/`);
    const run = await runCrawl({ seeds, delay: 0, render: 'never' });
    expect(pathsOf(run)).toEqual(['/', '/', ...range(8).map((index) => `/p${index}.html`)]);
    expect(run.report.hostsGivenUp).toMatchObject([{ failures: 5, queued: 12 }]);
    // every host with queued URLs was given up: the crawl did not complete
    expect([run.report.end, exitCodeOfEnd(run.report.end, null)]).toEqual(['hosts-given-up', 3]);
    expectBalance(run);
  });

  it('and of which nothing is left does not make the crawl a failed one: all was visited or has failed', async () => {
    await using site = await oneHost({ '/down/*': REFUSAL }, page(...links.slice(0, 5)));
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', retries: 0 });
    expect(run.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 1, 'http-error': 5 } });
    expect(exitCodeOfEnd(run.report.end, null)).toBe(0);
    expect(run.report.hostsGivenUp).toMatchObject([{ failures: 5, queued: 0 }]);
    expectBalance(run);
  });

  it('is none where one of its pages answers in between', async () => {
    const flaky = Object.fromEntries(range(4).map((index) => [`/down/${index}`, { ...REFUSAL, times: 1 }]));
    await using site = await temporaryFixture({
      'site.json': JSON.stringify({ routes: flaky }),
      'www/index.html': page(...links.slice(0, 4)),
      ...Object.fromEntries(range(4).map((index) => [`www/down/${index}.html`, page()])),
    });
    const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never' });
    expect(run.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 5 }, hostsGivenUp: [] });
  });
});

it('many refusals at once are one: the host rests once, and is asked again for all of them', async () => {
  const pages = range(8).map((index) => `/busy/${index}`);
  const routes = Object.fromEntries(
    pages.map((path) => [path, { status: 503, body: page(), headers: { 'retry-after': '2' }, delay: 1500, times: 1 }]),
  );
  await using site = await temporaryFixture({
    'site.json': JSON.stringify({ routes }),
    'www/index.html': page(...pages),
    ...Object.fromEntries(pages.map((path) => [`www${path}.html`, page()])),
  });
  const run = await runCrawl({ seeds: [site.server.url], delay: 0, render: 'never', workers: 8, hostConcurrency: 8 });
  expect(run.report).toMatchObject({ end: 'all-visited', outcomes: { captured: 9 }, hostsGivenUp: [] });
  const moments = requestsFor(site, '/busy/').map(({ at }) => at);
  expect(moments).toHaveLength(16);
  const [refusals, others] = [moments.slice(0, 8), moments.slice(8)];
  // all requests were sent before the first answer
  expect((refusals.at(-1) ?? 0) - (refusals[0] ?? 0)).toBeLessThan(1500);
  // the host rests after the first answer: two seconds in all, not two for each answer
  expect((others[0] ?? 0) - (refusals[0] ?? 0)).toBeGreaterThanOrEqual(3500 - EARLY);
  expect((others.at(-1) ?? 0) - (refusals.at(-1) ?? 0)).toBeLessThan(8 * 2000);
});

it('a hundred hosts on one address are asked one after the other, as their delay says, not all at once', async () => {
  const [DELAY, LATE] = [60, 400];
  await using site = await openFixture('hundred-hosts-on-one-address');
  const run = await runCrawl({
    seeds: [site.url],
    scope: 'any',
    render: 'never',
    delay: DELAY,
    workers: 8,
    sitemap: false,
  });
  expect(run.report.outcomes).toMatchObject({ captured: 100 });
  const moments = site
    .requests()
    .filter(({ path }) => path !== '/robots.txt')
    .map(({ at }) => at);
  expect(moments).toHaveLength(100);
  // only the shared address spaces these hosts: each alone would allow a request at once. Visits begin DELAY apart; a request
  // follows a little after its visit begins, on a busy machine a little later
  const spans = moments.slice(20).map((at, index) => at - (moments[index] ?? 0));
  expect(Math.min(...spans)).toBeGreaterThanOrEqual(20 * DELAY - LATE);
});
