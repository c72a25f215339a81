/** The contract of a running crawl, for the command line and embedding programs. */
import type { CrawlId } from '../model/crawl-id.ts';
import type { FoldedParameters, GivenUpHost, RecordOutcome, SkipReason, SuspectedTrap } from '../model/record.ts';
import type { CrawlEvent } from './events.ts';
import type { BlankPages, PartlyUsedPages, TruncatedPages, UnansweredPages } from './summary/tally.ts';

export interface CrawlTotals {
  readonly discovered: number;
  readonly visited: number;
  readonly failed: number;
  readonly skipped: number;
  /** Known and neither visited nor skipped yet; pages that are being visited count here, too. */
  readonly queued: number;
}

/** A host that asked to be left alone for a while. */
export interface HostWait {
  readonly host: string;
  /** When it is asked again, in epoch milliseconds. */
  readonly until: number;
  /** Milliseconds until then. */
  readonly left: number;
  /** `Retry-After, 503`; the status alone where no time was named. */
  readonly why: string;
}

/** A host of which something is still to be visited. */
export interface QueuedHost {
  readonly host: string;
  readonly queued: number;
}

/** Options that end a crawl, or leave something out, when a number is reached. */
export type LimitOption = 'limit' | 'hostLimit' | 'sizeLimit';

/** How a crawl can go on. */
export interface GoingOn {
  /** The option that must be given anew, above this value (pages or bytes); null where none must. */
  readonly above: { readonly option: LimitOption; readonly value: number } | null;
}

/** A moment of a crawl, for progress lines. */
export interface CrawlProgress {
  readonly totals: CrawlTotals;
  /** Pages being visited now. */
  readonly visiting: number;
  /** Milliseconds since this run (not the crawl, when it was resumed) began. */
  readonly elapsed: number;
  /** Visits a second over the last 30 seconds. */
  readonly pagesPerSecond: number;
  /** The host whose queue will take longest at its pace; null where there is only one, or nothing is queued. */
  readonly slowestHost: { readonly host: string; readonly queued: number; readonly delay: number } | null;
  /** Hosts that asked to wait, the longest wait first. */
  readonly hostsWaiting: readonly HostWait[];
  /** Milliseconds until a limit that the user set ends the crawl, where that can be known; else null. */
  readonly timeLeft: number | null;
  /** Milliseconds for which Redis has given no answer: the figures are as old, and the crawl waits. Null where it answers. */
  readonly redisSilence: number | null;
  readonly stopping: boolean;
}

/** Why a crawl came to its end. */
export type CrawlEnd =
  | 'all-visited'
  | 'page-limit'
  | 'time-limit'
  | 'size-limit'
  | 'interrupted'
  /** It was signed out and could not sign in again: paused, and resumable. */
  | 'signed-out'
  /** No seed could be visited. */
  | 'seeds-failed'
  /** Every host with URLs left to visit failed too often in a row. */
  | 'hosts-given-up'
  /** Disk full, Redis or browser gone for good, a fault of the program: `error` of the report says which. */
  | 'broken';

export interface CrawlReport {
  readonly id: CrawlId;
  readonly folder: string;
  readonly state: 'finished' | 'interrupted' | 'failed';
  readonly end: CrawlEnd;
  /** The cause where the end is `broken`, `signed-out`, `seeds-failed` or `hosts-given-up`, in words. */
  readonly cause: string | null;
  /** How `resume` goes on with it; null where nothing is left, or the state was not kept. */
  readonly goesOn: GoingOn | null;
  /** The hosts with the most queued, up to five; none where the crawl cannot go on. */
  readonly queuedHosts: readonly QueuedHost[];
  readonly totals: CrawlTotals;
  readonly outcomes: Readonly<Partial<Record<RecordOutcome, number>>>;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly linksFound: number;
  /** Pages visited in this run: all of them, unless the crawl was resumed. */
  readonly visitsOfRun: number;
  /** Milliseconds of this run. */
  readonly elapsed: number;
  readonly notes: readonly string[];
  readonly suspectedTraps: readonly SuspectedTrap[];
  readonly hostsGivenUp: readonly GivenUpHost[];
  /** Pages whose parameters change nothing, and how many URLs were not fetched for that. */
  readonly foldedParameters: readonly FoldedParameters[];
  /** Hosts that had asked to wait when the crawl ended. */
  readonly hostsWaiting: readonly HostWait[];
  /** Stalls of the program's main loop, a second or more each: their number, and the longest in milliseconds. */
  readonly stalls: { readonly count: number; readonly longest: number };
  /** Up to 20 URLs that failed, with why. */
  readonly failures: readonly { readonly url: string; readonly why: string; readonly referrer: string | null }[];
  /** Failures that are not the site's: only links of low confidence named the addresses, and nothing was there. */
  readonly wrongGuesses: Readonly<Partial<Record<RecordOutcome, number>>>;
  /** How many pages and files broke off before their end, and up to 20 of them. */
  readonly truncated: TruncatedPages;
  /** How many pages ended while they waited for an answer, and which of them waited longest. */
  readonly unanswered: UnansweredPages;
  /** How many pages had controls left when the limits of their use were reached, and the first of them. */
  readonly partlyUsed: PartlyUsedPages;
  /** How many pages were rendered and showed nothing, and the first of them. */
  readonly blank: BlankPages;
}

export interface Crawl extends AsyncDisposable, AsyncIterable<CrawlEvent> {
  readonly id: CrawlId;
  /** Absolute path of the crawl folder. */
  readonly folder: string;
  /** The seeds as they were understood: with those of served folders. */
  readonly seeds: readonly string[];
  progress(): CrawlProgress;
  /**
   * `drain`: lease nothing more, finish the pages in flight, save. `at-once`: give up the pages in flight, save.
   * Either can be resumed. Returns at once; `report` resolves when it is done.
   */
  stop(how: 'drain' | 'at-once'): void;
  /**
   * Ends the crawl after an uncaught error: gives up the pages in flight, saves, and ends as `broken` with this cause. It can be resumed.
   * Returns at once, and never throws.
   */
  breakOff(error: unknown): void;
  /** Waits for the end. Never rejects because of a site. */
  report(): Promise<CrawlReport>;
}
