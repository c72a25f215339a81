import type { GivenUpHost, SuspectedTrap } from '../model/record.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { CrawlEnd, CrawlReport, CrawlTotals, HostWait } from './crawl.ts';
import type { Tally } from './tally.ts';

const STATES: Readonly<Record<CrawlEnd, CrawlReport['state']>> = {
  'all-visited': 'finished',
  'page-limit': 'finished',
  'time-limit': 'finished',
  'size-limit': 'finished',
  interrupted: 'interrupted',
  'seeds-failed': 'failed',
  'hosts-given-up': 'failed',
  broken: 'failed',
};

interface Ended {
  readonly end: CrawlEnd;
  readonly totals: CrawlTotals;
  readonly elapsed: number;
  readonly visitsOfRun: number;
  /** What broke it; null where nothing did. */
  readonly broken: unknown;
  readonly suspectedTraps?: readonly SuspectedTrap[];
  readonly hostsGivenUp?: readonly GivenUpHost[];
  readonly hostsWaiting?: readonly HostWait[];
}

/** What is said of a crawl when it is over. */
export function crawlReport(
  { description, folder, tally, notes, watch }: CrawlContext,
  { end, totals, elapsed, visitsOfRun, broken, suspectedTraps = [], hostsGivenUp = [], hostsWaiting = [] }: Ended,
): CrawlReport {
  return {
    id: description.id,
    folder: folder.path,
    state: STATES[end],
    end,
    cause: causeOf({ end, broken, hostsGivenUp }, tally),
    totals,
    outcomes: Object.fromEntries(tally.outcomes),
    skipped: Object.fromEntries(tally.skipped),
    linksFound: tally.linksFound,
    visitsOfRun,
    elapsed,
    notes: notes.all,
    suspectedTraps,
    hostsGivenUp,
    hostsWaiting,
    stalls: { count: watch.stalls, longest: Math.round(watch.longest) },
    failures: tally.failures,
    truncated: tally.truncated,
  };
}

/** Whether any page was seen at all; redirects to nowhere do not count. */
export function anythingSeen({ outcomes }: Tally): boolean {
  return (outcomes.get('captured') ?? 0) + (outcomes.get('not-html') ?? 0) > 0;
}

function causeOf(
  { end, broken, hostsGivenUp }: Pick<Ended, 'end' | 'broken'> & Pick<CrawlReport, 'hostsGivenUp'>,
  tally: Tally,
): string | null {
  if (end === 'broken') return broken instanceof Error ? broken.message : String(broken);
  if (end === 'hosts-given-up') return givenUpWords(hostsGivenUp);
  if (end !== 'seeds-failed') return null;
  const [failure] = tally.failures;
  if (failure !== undefined) return `${failure.url}: ${failure.why}`;
  const reasons = [...tally.skipped].map(([reason, count]) => `${count} ${reason}`).join(', ');
  return reasons === '' ? 'nothing could be visited' : `nothing could be visited (skipped: ${reasons})`;
}

function givenUpWords(hosts: readonly GivenUpHost[]): string {
  const [first] = hosts;
  if (first === undefined) return 'every host was given up';
  const others = hosts.length === 1 ? '' : `, and ${hosts.length - 1} more hosts`;
  return `${first.host} failed ${first.failures} times in a row${first.why === '' ? '' : ` (${first.why})`}${others}`;
}
