import { describe, expect, it } from 'vitest';
import type { CrawlContext } from '../../../src/crawl/crawl-context.ts';
import { anythingSeen, crawlReport } from '../../../src/crawl/summary/crawl-report.ts';
import type { CrawlEnd } from '../../../src/crawl/crawl.ts';
import { createNotes } from '../../../src/crawl/summary/notes.ts';
import { NO_TOTALS } from '../../../src/crawl/summary/progress.ts';
import { createTally, type Tally } from '../../../src/crawl/summary/tally.ts';

function reportOf(end: CrawlEnd, tally: Tally, broken: unknown = null): ReturnType<typeof crawlReport> {
  const context = {
    description: { id: 'c-1' },
    folder: { path: '/crawl' },
    plan: { options: {} },
    tally,
    notes: createNotes(),
    watch: NO_STALLS,
  };
  return crawlReport(context as unknown as CrawlContext, {
    end,
    totals: NO_TOTALS,
    elapsed: 5,
    visitsOfRun: 2,
    goesOn: false,
    broken,
  });
}

const NO_STALLS = { stalls: 0, longest: 0 };

const refused = {
  url: 'http://one.example/',
  outcome: 'unreachable',
  status: null,
  truncated: null,
  detail: 'connection refused',
  referrer: null,
  confidence: 'high',
  empty: false,
  links: { found: 0 },
  timing: null,
  settle: { reason: 'not-rendered', pending: [] },
} as const;

describe('the report of a crawl', () => {
  it.each<[CrawlEnd, string]>([
    ['all-visited', 'finished'],
    ['page-limit', 'finished'],
    ['time-limit', 'finished'],
    ['size-limit', 'finished'],
    ['interrupted', 'interrupted'],
    ['seeds-failed', 'failed'],
    ['hosts-given-up', 'failed'],
    ['broken', 'failed'],
  ])('says of a crawl that ended by %s that it is %s', (end, state) => {
    expect(reportOf(end, createTally())).toMatchObject({ end, state, elapsed: 5, visitsOfRun: 2 });
  });

  it('names the cause where no seed could be visited: a failure before skips, skips by their reasons', () => {
    const tally = createTally();
    expect(reportOf('seeds-failed', tally).cause).toBe('nothing could be visited');
    tally.addSkipped({ reason: 'disallowed-by-robots', rule: '' });
    tally.addSkipped({ reason: 'disallowed-by-robots', rule: '' });
    expect(reportOf('seeds-failed', tally).cause).toBe(
      'nothing could be visited (skipped: 2 disallowed-by-robots); --no-robots is for sites of your own',
    );
    tally.addSkipped({ reason: 'blocked-address', rule: '' });
    expect(reportOf('seeds-failed', tally).cause).toBe(
      'nothing could be visited (skipped: 2 disallowed-by-robots, 1 blocked-address)',
    );
    tally.addPage(refused);
    expect(reportOf('seeds-failed', tally).cause).toBe('http://one.example/: connection refused');
  });

  it('names what broke the crawl, and no cause of a good end', () => {
    expect(reportOf('broken', createTally(), new Error('disk full')).cause).toBe('disk full');
    expect(reportOf('broken', createTally(), 'a text').cause).toBe('a text');
    expect(reportOf('page-limit', createTally()).cause).toBeNull();
  });

  it('takes redirects and failures for nothing seen', () => {
    const tally = createTally();
    tally.addPage(refused);
    tally.addPage({ ...refused, outcome: 'redirected', status: 302 });
    expect(anythingSeen(tally)).toBe(false);
    tally.addPage({ ...refused, outcome: 'not-html', status: 200 });
    expect(anythingSeen(tally)).toBe(true);
  });
});
