import { describe, expect, test } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { COLOURED, PLAIN } from '../../../src/cli/terminal/paint.ts';
import { safeText } from '../../../src/cli/terminal/safe-text.ts';
import { earlyEndText, summaryText } from '../../../src/cli/text/summary.ts';
import type { CrawlEnd, CrawlReport } from '../../../src/crawl/crawl.ts';
import { SKIP_REASONS } from '../../../src/model/record.ts';
import { reportOf } from './fake-crawl.ts';

const frame = { paint: PLAIN, folder: './out', resumeCommand: 'npx orbweaver resume ./out' };
const summary = (changes: Partial<CrawlReport> = {}) => summaryText(reportOf(changes), frame);

describe('the summary', () => {
  test('of a finished crawl tells what was found, what was skipped and where it lies', () => {
    expect(summary())
      .toBe(`Finished: 150 pages captured, 157 URLs visited, 4,321 links found in 1 min 5 s (2.5 pages/s).
200 URLs known: 157 visited, 3 failed, 40 skipped, 0 still queued.

Pages
  150  captured
    7  redirected to another page
    3  answered with an error

Skipped
  30  outside the scope
  10  forbidden by robots.txt

Folder:  ./out`);
  });

  test.each([
    [60_000, '2.7'],
    [16_000, '10'],
    [1650, '97'],
    [1600, '100'],
    [1280, '125'],
  ])('tells the pace of 160 visits in %i ms in plain figures', (elapsed, pace) => {
    expect(summary({ elapsed, visitsOfRun: 160 })).toContain(` (${pace} pages/s).`);
  });

  test('names the pages that ended while they waited, and what they waited for', () => {
    const longest = {
      url: 'https://example.org/search',
      request: 'https://example.org/api/search?q=words',
      time: milliseconds(15_040),
    };
    expect(summary({ unanswered: { count: 12, longest } })).toContain(
      '12 pages ended while waiting, longest for /api/search (15 s)\n  on https://example.org/search; --settle-timeout lets pages wait longer',
    );
    expect(summary()).not.toContain('ended while waiting');
  });

  test('says how many pages showed nothing', () => {
    expect(summary({ blank: { count: 3, first: 'https://example.org/app' } })).toContain(
      '\n3 pages showed nothing in the browser, first https://example.org/app\n',
    );
    expect(summary()).not.toContain('showed nothing');
  });

  test('says how many pages had controls left', () => {
    expect(summary({ partlyUsed: { count: 2, first: 'https://example.org/app' } })).toContain(
      '\n2 pages had controls left when the limits of their use were reached, first https://example.org/app\n' +
        '  detail in pages.jsonl says which; where their time was used up, a longer --page-timeout gives more\n',
    );
    expect(summary()).not.toContain('controls left');
  });

  test('of an interrupted crawl ends with the command that goes on with it', () => {
    expect(summary({ state: 'interrupted', end: 'interrupted' })).toMatch(
      /^Interrupted: .*\nResume: {2}npx orbweaver resume \.\/out$/s,
    );
  });

  test.each<[CrawlEnd, NonNullable<CrawlReport['goesOn']>['above'], string]>([
    ['page-limit', { option: 'limit', value: 1000 }, ' --limit 2000'],
    ['size-limit', { option: 'sizeLimit', value: 1_048_576 }, ' --size-limit 2mb'],
    ['size-limit', { option: 'sizeLimit', value: 1001 }, ' --size-limit 2002'],
    ['all-visited', { option: 'hostLimit', value: 7 }, ' --host-limit 14'],
    ['time-limit', null, ''],
  ])('of a crawl that ended by %s with something left ends with the command that goes on', (end, above, flag) => {
    expect(summary({ end, goesOn: { above } })).toMatch(
      new RegExp(String.raw`\nFolder: {2}\./out\nGo on: {3}npx orbweaver resume \./out${flag}$`),
    );
  });

  test('blames no --limit alone for what sitemaps name beyond their limits', () => {
    expect(summary({ skipped: { limit: 3 } })).toContain('\n  3  in sitemaps, beyond their limits or --limit\n');
  });

  test('says of which hosts something is left, where there are several', () => {
    const queuedHosts = [
      { host: 'https://one.example', queued: 1200 },
      { host: 'https://two.example', queued: 3 },
    ];
    const goesOn = { above: null };
    expect(summary({ end: 'time-limit', goesOn, queuedHosts })).toContain(
      '\nStill queued\n  1,200  https://one.example\n      3  https://two.example\n',
    );
    expect(summary({ end: 'time-limit', goesOn, queuedHosts: queuedHosts.slice(1) })).not.toContain('Still queued\n');
  });

  test('of a resumed crawl does not divide the pages of all runs by the time of one', () => {
    const text = summaryText(reportOf({ visitsOfRun: 65 }), frame);
    expect(text).toMatch(
      /^Finished: 150 pages captured, 157 URLs visited, 4,321 links found in all; this run made 65 visits in 1 min 5 s \(1\.0 pages\/s\)\.\n/,
    );
  });

  test('of a crawl that broke off with totals of before its last visits is not that of a resumed one', () => {
    expect(summary({ state: 'failed', end: 'broken', visitsOfRun: 162 })).toContain(
      ' links found in 1 min 5 s (2.5 pages/s).',
    );
  });

  test('of a crawl that goes on counts what it has skipped so far', () => {
    const skipped = { 'out-of-scope': 28 };
    const ends = { state: 'interrupted', end: 'interrupted' } as const;
    expect(summary({ ...ends, skipped })).toContain(
      'Skipped\n  28  outside the scope\n  12  so far: skipped.jsonl has the reasons when the crawl has ended\n\n',
    );
    expect(summary({ ...ends, skipped: { depth: 40 } })).toContain('Skipped\n  40  deeper than --depth\n\n');
  });

  test.each<[CrawlEnd, RegExp]>([
    ['all-visited', /^Finished: /],
    ['page-limit', /^Finished at the page limit: /],
    ['time-limit', /^Finished at the time limit: /],
    ['size-limit', /^Finished at the size limit: /],
    ['seeds-failed', /^Failed: no seed could be visited: /],
    ['hosts-given-up', /^Given up: every host that was left failed too often: /],
    ['broken', /^Broken off: /],
  ])('says in words that the end was %s', (end, words) => {
    expect(summary({ end })).toMatch(words);
  });

  test('of a crawl that broke off names the command that goes on, unless another process leads it', () => {
    const broken = { state: 'failed', end: 'broken', totals: { ...reportOf({}).totals, queued: 3 } } as const;
    expect(summary({ ...broken, goesOn: { above: null } })).toMatch(/\nResume: {2}npx orbweaver resume \.\/out$/);
    expect(summary({ ...broken, goesOn: null })).toMatch(/\nFolder: {2}\.\/out$/);
    expect(earlyEndText(reportOf({ ...broken, goesOn: null }), 'npx orbweaver resume')).not.toContain('resume');
  });

  test('of a crawl whose folder was removed says so, and names no command that would find nothing', () => {
    const totals = { ...reportOf({}).totals, queued: 3 };
    const broken = reportOf({ state: 'failed', end: 'broken', totals, goesOn: { above: null } });
    const told = summaryText(broken, { ...frame, resumeCommand: null });
    expect(told).toMatch(/\nFolder: {2}\.\/out, which is not there any more$/);
    expect(earlyEndText(broken, null)).toBe('Broken off: the state is saved');
  });

  test('names the cause of a failure', () => {
    expect(summary({ state: 'failed', end: 'broken', cause: 'the disk is full' })).toContain(
      '\nCause: the disk is full\n',
    );
  });

  test('has the cure of an error in a line of its own, and what a site says in none', () => {
    const cause = 'the disk is full: a could not be written\nFree some space, then resume the crawl.';
    expect(summary({ state: 'failed', end: 'broken', cause })).toContain(
      '\nCause: the disk is full: a could not be written\n       Free some space, then resume the crawl.\n',
    );
    expect(summary({ state: 'failed', end: 'seeds-failed', cause: 'a\nb' })).toContain('\nCause: a b\n');
  });

  test('shows failures with reason and referrer, and says how many there are in all', () => {
    const failures = [
      { url: 'https://example.org/missing', why: 'status 404', referrer: 'https://example.org/' },
      { url: 'https://example.org/down', why: 'connection refused', referrer: null },
    ];
    expect(summary({ failures })).toContain(`
Failures (2 of 3)
  https://example.org/missing  status 404
      linked from https://example.org/
  https://example.org/down  connection refused
`);
  });

  test('tells failures of the site from wrong guesses, which it does not name', () => {
    const totals = { discovered: 12, visited: 5, failed: 4, skipped: 3, queued: 0 };
    const outcomes = { captured: 5, 'http-error': 3, unreachable: 1 };
    const failures = [{ url: 'https://example.org/down', why: 'refused', referrer: null }];
    const text = summary({ totals, outcomes, failures, wrongGuesses: { 'http-error': 3 } });
    expect(text).toContain(
      "\n12 URLs known: 5 visited, 1 failed, 3 wrong guesses (not the site's), 3 skipped, 0 still queued.\n",
    );
    expect(text).toContain('\n  3  answered with an error (wrong guesses)\n  1  unreachable\n');
    expect(text).toContain('\nFailures (3 wrong guesses not shown)\n  https://example.org/down  refused\n');
    const guesses = summary({ totals: { ...totals, failed: 1 }, outcomes: {}, wrongGuesses: { 'http-error': 1 } });
    expect(guesses).toContain("5 visited, 0 failed, 1 wrong guess (not the site's), 3 skipped");
    expect(guesses).not.toContain('Failures');
    const some = summary({ totals, outcomes: { 'http-error': 4 }, wrongGuesses: { 'http-error': 1 } });
    expect(some).toContain('  4  answered with an error (1 wrong guess)\n');
  });

  test('names suspected traps, the largest first, with why and the flag that lifts it', () => {
    const small = { pattern: 'https://example.org/tag/*.html', rule: 'pattern budget', fetched: 10, held: 3, why: '' };
    const why = '48 of 50 were like pages known before';
    const large = { pattern: 'https://example.org/calendar/#/#', rule: 'pattern budget', fetched: 50, held: 1234, why };
    expect(summary({ suspectedTraps: [small, large] })).toContain(`
Suspected traps
  https://example.org/calendar/#/#  50 fetched, 1,234 held back
      48 of 50 were like pages known before
      rule: pattern budget; to follow them all: --follow-traps '^https://example\\.org/calendar/\\d+/\\d+$'
  https://example.org/tag/*.html  10 fetched, 3 held back
      rule: pattern budget; to follow them all: --follow-traps '^https://example\\.org/tag/[^/?#]*\\.html$'
`);
  });

  test('names no flag that would follow a whole host', () => {
    const whole = { pattern: 'https://example.org/**', rule: 'infinite', fetched: 10, held: 3, why: '' };
    const text = summary({ suspectedTraps: [whole] });
    expect(text).toContain('they are all over the host: to follow some, name them with --follow-traps\n');
    expect(text).not.toContain("--follow-traps '");
  });

  test('says which parameters change nothing, and how to fetch their URLs all the same', () => {
    const folded = {
      pattern: 'https://example.org/*',
      parameters: ['ref', 'from'],
      hasPlaces: false,
      compared: 12,
      held: 1234,
    };
    const places = { pattern: 'https://example.org/##/*', parameters: [], hasPlaces: true, compared: 1, held: 1 };
    expect(summary({ foldedParameters: [places, folded] })).toContain(`
Parameters that change nothing
  https://example.org/*  ref, from: 1,234 URLs not fetched
      12 visits compared; to fetch them all: --keep-query-params ref,from
  https://example.org/##/*  places in pages: 1 URL not fetched
      1 visit compared; to fetch them all: --keep-query-params '*'
`);
  });

  test('shows twenty suspected traps at the most and counts the others', () => {
    const suspectedTraps = Array.from({ length: 23 }, (_, n) => ({
      pattern: `p${n}`,
      rule: 'r',
      fetched: 1,
      held: n,
      why: '',
    }));
    const text = summary({ suspectedTraps });
    expect(text).toContain('\n  and 3 more in crawl.json\n');
    expect(text.match(/held back/g)).toHaveLength(20);
  });

  test('names the hosts that were given up, and goes on with a resume', () => {
    const hostsGivenUp = [{ host: 'https://example.org', failures: 5, queued: 1200, why: 'status 503' }];
    const totals = { discovered: 1300, visited: 100, failed: 0, skipped: 0, queued: 1200 };
    const text = summary({ state: 'failed', end: 'hosts-given-up', cause: 'example.org failed', hostsGivenUp, totals });
    expect(text).toContain(`
Hosts given up
  https://example.org  5 failures in a row, 1,200 URLs left
      status 503
`);
    expect(text).toMatch(/\nResume: {2}npx orbweaver resume \.\/out$/);
  });

  test('shows notes', () => {
    expect(summary({ notes: ['a Crawl-delay was cut'] })).toContain('\nnote  a Crawl-delay was cut\n');
  });

  test('has words for every reason to skip a URL', () => {
    const skipped = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, 1]));
    const rows = summary({ skipped })
      .split('\n')
      .filter((line) => /^ {2}1 {2}/.test(line));
    expect(rows.length).toBe(SKIP_REASONS.length);
    expect(rows).toContain('  1  linked by no page: asked for only to see how the host answers');
    expect(rows.join()).not.toContain('undefined');
  });

  test('leaves empty parts out', () => {
    const text = summary({ outcomes: {}, skipped: {}, linksFound: 0, elapsed: 0 });
    expect(text).not.toMatch(/Pages|Skipped|Failures|note|NaN|Infinity/);
  });

  test('passes nothing to the terminal that a page made up', () => {
    const evil = '\u001b]0;owned\u0007\u202e\nerror';
    const text = summary({
      cause: evil,
      notes: [evil],
      failures: [{ url: evil, why: evil, referrer: evil }],
      suspectedTraps: [{ pattern: evil, rule: evil, fetched: 1, held: 1, why: evil }],
      hostsGivenUp: [{ host: evil, failures: 5, queued: 1, why: evil }],
    });
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).not.toMatch(/^error/m);
  });

  test('is the same text with colours', () => {
    const report = reportOf({ state: 'failed', end: 'broken', cause: 'x', notes: ['y'] });
    const lines = (text: string) => text.split('\n').map(safeText);
    expect(lines(summaryText(report, { ...frame, paint: COLOURED }))).toEqual(lines(summaryText(report, frame)));
  });
});
