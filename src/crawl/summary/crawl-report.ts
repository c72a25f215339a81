import type { FoldedParameters, GivenUpHost, SuspectedTrap } from '../../model/record.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlEnd, CrawlReport, CrawlTotals, GoingOn, HostWait, LimitOption, QueuedHost } from '../crawl.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { Tally } from './tally.ts';

const STATES: Readonly<Record<CrawlEnd, CrawlReport['state']>> = {
  'all-visited': 'finished',
  'page-limit': 'finished',
  'time-limit': 'finished',
  'size-limit': 'finished',
  interrupted: 'interrupted',
  'signed-out': 'interrupted',
  'seeds-failed': 'failed',
  'hosts-given-up': 'failed',
  broken: 'failed',
};

/** The state in crawl.json of a crawl with this end. */
export function stateOfEnd(end: CrawlEnd): CrawlReport['state'] {
  return STATES[end];
}

interface Ended {
  readonly end: CrawlEnd;
  readonly totals: CrawlTotals;
  readonly elapsed: number;
  readonly visitsOfRun: number;
  /** The error that broke it off; null where there was none. */
  readonly broken: unknown;
  /** Why it could not sign in again; null where it did not have to. */
  readonly signedOut?: string | null;
  readonly suspectedTraps?: readonly SuspectedTrap[];
  readonly hostsGivenUp?: readonly GivenUpHost[];
  readonly foldedParameters?: readonly FoldedParameters[];
  readonly hostsWaiting?: readonly HostWait[];
  readonly queuedHosts?: readonly QueuedHost[];
  /** Something is left to visit, and the state of the crawl is kept. */
  readonly goesOn: boolean;
}

/** Makes the report of a crawl when it is over. */
export function crawlReport(
  { description, folder, plan, tally, notes, watch }: CrawlContext,
  ended: Ended,
): CrawlReport {
  const { end, totals, elapsed, visitsOfRun, broken } = ended;
  const { suspectedTraps = [], hostsGivenUp = [], foldedParameters = [], hostsWaiting = [], queuedHosts = [] } = ended;
  return {
    id: description.id,
    folder: folder.path,
    state: STATES[end],
    end,
    cause: end === 'signed-out' ? (ended.signedOut ?? null) : causeOf({ end, broken, hostsGivenUp }, tally),
    goesOn: ended.goesOn ? { above: limitToRaise(end, plan.options) } : null,
    queuedHosts,
    totals,
    outcomes: Object.fromEntries(tally.outcomes),
    skipped: Object.fromEntries(tally.skipped),
    linksFound: tally.linksFound,
    visitsOfRun,
    elapsed,
    notes: notes.all,
    suspectedTraps,
    hostsGivenUp,
    foldedParameters,
    hostsWaiting,
    stalls: { count: watch.stalls, longest: Math.round(watch.longest) },
    failures: tally.failures,
    wrongGuesses: Object.fromEntries(tally.wrongGuesses),
    truncated: tally.truncated,
    unanswered: tally.unanswered,
    partlyUsed: tally.partlyUsed,
    blank: tally.blank,
  };
}

/** The limit that ended a crawl, and must be raised before anything else is visited. */
export function limitToRaise(
  end: string | null,
  { limit, hostLimit, sizeLimit }: Pick<ParsedOptions, LimitOption>,
): GoingOn['above'] {
  if (end === 'page-limit' && limit !== undefined) return { option: 'limit', value: limit };
  if (end === 'size-limit' && sizeLimit !== undefined) return { option: 'sizeLimit', value: sizeLimit };
  // every URL that could be visited was: the others belong to hosts that had their pages
  if (end === 'all-visited' && hostLimit !== undefined) return { option: 'hostLimit', value: hostLimit };
  return null;
}

/** Was any page seen at all? Redirects to nowhere do not count. */
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
  if (reasons === '') return 'nothing could be visited';
  // whoever crawls a program with doors closed to all robots (an administration, a preview) needs the way in
  const isForbidden = tally.skipped.size === 1 && tally.skipped.has('disallowed-by-robots');
  return `nothing could be visited (skipped: ${reasons})${isForbidden ? '; --no-robots is for sites of your own' : ''}`;
}

function givenUpWords(hosts: readonly GivenUpHost[]): string {
  const [first] = hosts;
  if (first === undefined) return 'every host was given up';
  const others = hosts.length === 1 ? '' : `, and ${hosts.length - 1} more hosts`;
  return `${first.host} failed ${first.failures} times in a row${first.why === '' ? '' : ` (${first.why})`}${others}`;
}
