import type { CrawlEnd, CrawlReport, CrawlTotals } from './crawl.ts';
import type { Rooms } from './rooms.ts';
import type { Tally } from './tally.ts';

const STATES: Readonly<Record<CrawlEnd, CrawlReport['state']>> = {
  'all-visited': 'finished',
  'page-limit': 'finished',
  'time-limit': 'finished',
  interrupted: 'interrupted',
  'seeds-failed': 'failed',
  broken: 'failed',
};

export interface Ended {
  readonly end: CrawlEnd;
  readonly totals: CrawlTotals;
  readonly elapsed: number;
  readonly visitsOfRun: number;
  /** What broke it; null where nothing did. */
  readonly broken: unknown;
}

/** What is said of a crawl when it is over. */
export function crawlReport(
  { description, folder, tally, notes }: Rooms,
  { end, totals, elapsed, visitsOfRun, broken }: Ended,
): CrawlReport {
  return {
    id: description.id,
    folder: folder.path,
    state: STATES[end],
    end,
    cause: causeOf(end, broken, tally),
    totals,
    outcomes: Object.fromEntries(tally.outcomes),
    skipped: Object.fromEntries(tally.skipped),
    linksFound: tally.linksFound,
    visitsOfRun,
    elapsed,
    notes: notes.all,
    failures: tally.failures,
  };
}

/** Whether any page was seen at all; redirects to nowhere do not count. */
export function anythingSeen({ outcomes }: Tally): boolean {
  return (outcomes.get('captured') ?? 0) + (outcomes.get('not-html') ?? 0) > 0;
}

function causeOf(end: CrawlEnd, broken: unknown, tally: Tally): string | null {
  if (end === 'broken') return broken instanceof Error ? broken.message : String(broken);
  if (end !== 'seeds-failed') return null;
  const [failure] = tally.failures;
  if (failure !== undefined) return `${failure.url}: ${failure.why}`;
  const reasons = [...tally.skipped].map(([reason, count]) => `${count} ${reason}`).join(', ');
  return reasons === '' ? 'nothing could be visited' : `nothing could be visited (skipped: ${reasons})`;
}
