import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { FLAGS } from '../../src/cli/flags/flags.ts';
import type { Engine } from '../../src/cli/engine.ts';
import type { SettingsDraft } from '../../src/cli/flags/settings.ts';
import type { CrawlReport } from '../../src/crawl/crawl.ts';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { Expected } from '../../src/core/diff/expectation.ts';
import { runHere } from '../support/command-here.ts';
import {
  DEFAULT_VARIANT,
  fixtureFolder,
  fixtureNames,
  fixtureVariants,
  openFixture,
} from '../support/fixture-sites.ts';
import { openFixtureSite } from '../support/site-server/open-fixture-site.ts';
import { expectWhole } from '../support/whole-crawl.ts';

const cases = await Promise.all(
  (await fixtureNames()).map(async (name) => (await fixtureVariants(name)).map((variant) => [name, variant] as const)),
);

/** Sites that the program serves in the same way as its users' folders. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['broken-html', 'clean-param', 'crawl-delay', 'encodings', 'hostile-page', 'infinite-scroll', 'late-links'],
  ...['archived-page', 'nofollow', 'restless', 'shadow-dom', 'spa-hash', 'spa-history', 'static-site'],
]);

/**
 * Runs `orbweaver test` on each. The site server of the tests serves those that have faults, generated pages, or hosts and ports filled into
 * their pages: users' folders have none of these (fixtures/sites/README.md).
 */
describe('a crawl of a fixture site finds all that is there and nothing else', () => {
  test.each(cases.flat())('%s (%s)', async (name, variant) => {
    await using work = await temporaryFolder();
    const expected = variant === DEFAULT_VARIANT ? 'expected.json' : `expected.${variant}.json`;
    const words = ['test', fixtureFolder(name), '--expected', expected, '--output', 'crawl'];
    const own: Partial<Engine> = { openSiteServer: (folder, { port }) => openFixtureSite(folder, port) };
    const { code, output } = await runHere(words, work.path, PLAIN.has(name) ? {} : own);
    expect(code === 0 ? '' : `${output}${await howTheyEnded(join(work.path, 'crawl'))}`).toBe('');
    const crawl: unknown = JSON.parse(await readFile(join(work.path, 'crawl/crawl.json'), 'utf8'));
    const { discovered, visited, failed, skipped, queued } = (crawl as Pick<CrawlReport, 'totals'>).totals;
    expect(visited + failed + skipped + queued).toBe(discovered);
    await expectWhole(join(work.path, 'crawl'));
  });
});

/** How long each page took, and what it still waited for: a page that is not as expected is often one that was taken too early. */
async function howTheyEnded(folder: string): Promise<string> {
  const lines = (await readFile(join(folder, 'pages.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
  const told = lines.map((line) => {
    const { url, outcome, detail, timing, settle, problems } = JSON.parse(line) as Record<string, unknown>;
    return JSON.stringify({ url, outcome, detail, timing, settle, problems });
  });
  return told.join('\n');
}

test('a folder as seed is served and crawled', async () => {
  await using output = await temporaryFolder();
  const report = await crawl(fixtureFolder('late-links'), output.path, null);
  expect(report.outcomes).toEqual({ captured: 7 });
});

test('a folder with a built single-page application is served with its history routes', async () => {
  await using output = await temporaryFolder();
  const report = await crawl(join(fixtureFolder('spa-history'), 'www'), output.path, null);
  // home, products, team, reports, account and login, and one that only the program's text names; pages named by the API
  // are missing without it
  expect(report.outcomes).toEqual({ captured: 7 });
});

test('visits of a host that asks for a Crawl-delay of one second are one second apart', async () => {
  await using site = await openFixture('crawl-delay');
  await using output = await temporaryFolder();
  await crawl(site.url, output.path, site.expected);
  const visits = site.requests().filter(({ path }) => path !== '/robots.txt');
  expect(visits).toHaveLength(5); // its four pages, and a request for the sitemap that it lacks
  const gaps = visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? Number.NaN));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
});

async function crawl(seed: string, output: string, expected: Expected | null): Promise<CrawlReport> {
  await using running = await startCrawl({
    seeds: [seed],
    output,
    overwrite: true,
    snapshot: [],
    delay: 0,
    workers: 2,
    logLevel: 'warn',
    ...settingsOf(expected?.options ?? {}),
  });
  return await running.report();
}

/** The options of expected.json, parsed as by the command line. */
function settingsOf(options: Expected['options']): SettingsDraft {
  const draft: SettingsDraft = {};
  for (const [name, value] of Object.entries(options)) {
    const flag = FLAGS.find((each) => each.name === name);
    if (flag === undefined) throw new Error(`expected.json names no flag of crawl: ${name}`);
    flag.set(draft, [String(value)], { name: `--${name}`, code: 'USAGE' });
  }
  return draft;
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-flow-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
