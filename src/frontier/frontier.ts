/**
 * The frontier: the known URLs, and the order and times of their visits. Only the frontier decides on time and retries.
 *
 * States of a URL, and the calls that change them:
 *
 *     unknown ──admit──▶ queued ──lease──▶ leased ──commit──▶ visited | failed | skipped   (final)
 *        │                 ▲                 │
 *        │                 ├──commit(retry)──┤   another try, not before it is due
 *        │                 ├──release────────┤   given back unvisited, the attempt does not count
 *        │                 └──reap, reclaim──┘   not committed in time, or its process has ended; neither costs an attempt
 *        │            visitAgain ◀── visited: a second visit; the URL stays counted as visited whatever comes of it
 *        └──admit(skipped) / commit(link skipped)──▶ skipped   (final, unless it is skipped so far)
 *
 * Skipped so far are URLs whose reason lies in the way that led there: they may still become queued. These are `depth`, `nofollow` and `duplicate`
 * (DEFERRABLE in lua/includes/admission.lua), speculative links beyond their host's budget (`low-confidence`), folded URLs (`duplicate-query`), and
 * links that say so themselves (`soFar` of a committed link): those of trap pages, of sitemaps that are not wanted yet, of paths in robots.txt
 * that read like no page, and those that only a seed's visit names outside of the scope.
 *
 * Invariants, each asserted by the tests after every operation:
 *   - discovered = visited + failed + skipped + queued + leased; a URL that waits for its second visit, or is leased for it, counts as visited,
 *     and also in `queuedAgain` or `leasedAgain`;
 *   - a second visit counts for no limit, no budget and no domain, and writes a line only where it was visited;
 *   - the credit of all pending URLs, of the lambda page and of the remainders is TOTAL_CREDIT, exactly;
 *   - a host has at most as many leases out as its last commit allows (`hostSlots`; 1 before its first commit), and a
 *     lease is not given before the host is due;
 *   - leasing a URL of a host books the host's next visit (pessimistically), so that a crash cannot shorten a delay;
 *   - tokens rise; a commit, renewal or release under a token that is not out has no effect;
 *   - with a host limit, the pages of a host that were visited, are leased or wait for another try never exceed it. When a host has
 *     used up the limit, `flushDeferred` skips its queued URLs; a resumed crawl with a higher limit leases them
 *     (lua/includes/host_limit.lua);
 *   - pending speculative links (candidates of low confidence) of a host never exceed the number that it is trusted with: 8, plus one for each that
 *     proved right, minus one for each that proved wrong, 64 at the most (lua/includes/speculative.lua);
 *   - a page under visit when the program ended suddenly is a suspect: it is leased before all others, and while its lease is out
 *     there is no other, however many slots are free. So a second end blames this page alone, and no page visited beside it;
 *   - an entry stays in the journal from its commit until `journalWritten` says that it is on disk.
 *
 * No decision depends on the expiry of a key. The caller gives `now`, which never runs back: the scripts keep the
 * highest one seen (design/reliability, "Clocks").
 */
import type { EpochMs, Milliseconds } from '../base/units.ts';
import type { Candidate, SecondVisit } from '../model/candidate.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { GivenUpHost, SkippedRecord, SuspectedTrap } from '../model/record.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { CommittedLink, VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';

export interface FrontierTotals {
  readonly discovered: number;
  readonly visited: number;
  readonly failed: number;
  readonly skipped: number;
  /** Queued URLs, and those that wait for another try; leased ones are not included. */
  readonly queued: number;
  readonly leased: number;
  /** Hosts with a queued or leased URL. */
  readonly hosts: number;
  /** Queued URLs of hosts that have used up the host limit: they are not leased. */
  readonly withheld: number;
  /** URLs that wait for a second visit and are not withheld by their host's limit. They are among the visited. */
  readonly queuedAgain: number;
  /** URLs leased for a second visit. They are among the visited, too. */
  readonly leasedAgain: number;
}

export type LeaseReply =
  | { readonly kind: 'leased'; readonly visits: readonly Visit[] }
  /** URLs are queued, but no host is due before `nextDue`. */
  | { readonly kind: 'nothing-due'; readonly nextDue: EpochMs }
  /** No queued URL may be visited now; open leases may bring new links, or no host has a free slot. */
  | { readonly kind: 'nothing-queued' }
  /** All queued URLs belong to hosts whose circuit is open for hours, see `openCircuits`. */
  | { readonly kind: 'circuits-open' };

export interface LeaseRequest {
  readonly now: EpochMs;
  /** Most visits to lease; 1 or more. */
  readonly count: number;
  /** Duration of the lease, unless it is renewed. */
  readonly leaseFor: Milliseconds;
  /**
   * Delay of hosts without a commit. Any other host's next lease is not before now + its own delay, which its last commit
   * set (`hostDelay`).
   */
  readonly newHostDelay: Milliseconds;
  /**
   * Where politeness counts per egress address: the addresses of all living processes, including those without a free slot. Left out: one
   * unnamed address for all.
   */
  readonly egresses?: readonly EgressPlaces[];
}

/** Visits that the processes of one egress address take. */
export interface EgressPlaces {
  /** Empty for processes that reported none. */
  readonly address: string;
  /** 0 or more. */
  readonly count: number;
}

export type CommitReply = { readonly kind: 'committed'; readonly newLinks: number } | { readonly kind: 'fenced' };

/** Leases of an earlier run. */
export interface Reclaimed {
  readonly taken: number;
  /** Pages under visit when that run ended suddenly. */
  readonly suspects: readonly CanonicalUrl[];
}

/** Consecutive journal entries, in order. `upTo` is the argument of `journalWritten`. */
export interface JournalStretch {
  readonly entries: readonly JournalEntry[];
  readonly upTo: number;
}

/** Lengths in bytes of the crawl folder's files once they hold all entries up to a number. */
export interface JournalPosition {
  readonly upTo: number;
  readonly lengths: Readonly<Record<string, number>>;
}

/** URLs that would not be visited as things stand, and the total that counts them. */
export interface HeldBack {
  readonly from: 'skipped' | 'queued';
  /** Their lines of skipped.jsonl if the crawl ended now. */
  readonly records: readonly SkippedRecord[];
}

/** Result of looking up a host's name. */
export type AddressAnswer =
  | { readonly kind: 'address'; readonly address: string }
  /** The address stays unknown, as where a proxy resolves names: the host passes no gate by address. */
  | { readonly kind: 'no-address' }
  /** `nextTry` is null after the last try: the host is admitted, and its visits fail by themselves. */
  | { readonly kind: 'failed'; readonly nextTry: EpochMs | null };

export interface HostState {
  readonly host: HostKey;
  readonly due: EpochMs;
  readonly queued: number;
  readonly leased: number;
  /** Consecutive failures that are the host's fault. */
  readonly failures: number;
}

/** Facts about one URL for `explain` and the progress line. */
export type UrlState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'queued'; readonly credit: number; readonly attempt: number; readonly due: EpochMs | null }
  | { readonly kind: 'leased'; readonly credit: number; readonly attempt: number }
  | { readonly kind: 'ended' };

export interface Frontier {
  /**
   * Makes URLs known: candidates are queued, skipped ones only recorded. A known URL is not changed, except: the smaller depth wins
   * while it is queued; a link turns a speculative link into a link; and a URL skipped so far is queued after all. A speculative link
   * changes nothing about a known URL.
   * @returns the number of new URLs
   */
  admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): Promise<number>;
  /** Admits the targets of a page's links, as {@link admit} does. @returns the URLs that were new */
  admitLinks(links: readonly CommittedLink[], now: EpochMs): Promise<ReadonlySet<string>>;
  /**
   * Leases the first page of the due host with the highest priority; every sixteenth lease takes the host that has been due
   * longest. Visits on one address begin at least a second apart (or the host's delay, where that is shorter), and a domain has two
   * visits at a time, or as many as one of its hosts may have.
   */
  lease(request: LeaseRequest): Promise<LeaseReply>;
  /**
   * Marks a visit as begun, before the worker touches the page: from now on a sudden end of the program may be the page's fault.
   * @returns false where the lease is not out any more: the visit must be dropped
   */
  begin(token: number, until: EpochMs): Promise<boolean>;
  /** @returns false where the lease is not out any more: the visit must be dropped. */
  renew(token: number, until: EpochMs): Promise<boolean>;
  /**
   * Commits a finished visit in one step. A repeated commit changes nothing and is answered `fenced`. A second visit that did not end as
   * visited writes nothing: the first one stands.
   */
  commit(visit: Visit, commit: VisitCommit, now: EpochMs): Promise<CommitReply>;
  /**
   * Returns a lease as if it had not been taken.
   * @param hostDue earliest time for the host, where something was requested from it; its own delay counts from now on, too
   * @returns false where the lease was not out
   */
  release(token: number, now: EpochMs, hostDue?: EpochMs): Promise<boolean>;
  /**
   * Ends a lease without a visit: the URL differs from a visited page only in parameters that change nothing. The host is due as if it had
   * not been leased. The URL is skipped until `unfold` brings it back.
   * @param fold the id that brings back all its URLs together
   * @returns false where the fold has proved wrong, or the lease is not out
   */
  fold(visit: Visit, skipped: SkippedRecord, fold: string, now: EpochMs): Promise<boolean>;
  /**
   * Queues the URLs folded under an id, and every URL that is folded under it from now on.
   * @returns the number of URLs queued now
   */
  unfold(fold: string, now: EpochMs): Promise<number>;
  /**
   * Queues visited URLs for a second visit, which the lease marks (`Visit.again`). A pending or never visited URL stays as it
   * is, so repeating the call changes nothing. Where the crawl ends first, the first visit stands.
   * @param urls with the way that each was found, and its recorded links (`Visit.recorded`)
   * @returns the number of URLs queued
   */
  visitAgain(urls: readonly SecondVisit[], now: EpochMs): Promise<number>;
  /**
   * Takes back expired leases. The calling process is alive, so no page is to blame, and no attempt is counted. Their hosts are
   * not due before `hostDue`, nor before now + their own delay: the visit may have gone on until now. @returns the number taken back
   */
  reap(now: EpochMs, hostDue: EpochMs): Promise<number>;
  /**
   * Takes back every lease, expired or not, without counting an attempt: for a resume, when no worker can be alive. If the earlier run
   * `died` without reporting its end, that counts as a death of each page whose visit had begun (`Visit.deaths`).
   */
  reclaim(before: 'died' | 'ended', now: EpochMs, hostDue: EpochMs): Promise<Reclaimed>;
  /** Announces that the crawl is stopped, or breaks off: if the program is killed before it has ended, no page under visit is to blame. */
  stopping(): Promise<void>;
  /**
   * Writes URLs skipped so far to the journal, at the end of a crawl: until then a better link may still queue them. They count as skipped
   * from the start. Pending URLs of a pattern over budget, or of a host that has used up
   * the host limit, are skipped now.
   * @returns the number of lines written
   */
  flushDeferred(now: EpochMs): Promise<number>;

  /**
   * Reads the lines that `flushDeferred` would write, each once, and changes nothing: a crawl that ends at a limit may go on. Nothing may be
   * leased or committed meanwhile.
   */
  heldBack(): AsyncIterable<HeldBack>;
  /** Number of queued URLs that this run or, with a higher limit, a later one would visit: all but those of patterns over budget. */
  leasable(): Promise<number>;
  /** URLs skipped for this rule so far. Walks over all URLs skipped so far: for the start of a run. */
  skippedSoFar(rule: string): Promise<readonly SkippedRecord[]>;
  /** URL patterns that brought nothing new and are over budget, in no order. */
  suspectedTraps(): Promise<readonly SuspectedTrap[]>;
  /** Hosts whose circuit is open for hours after too many failures in a row; the one that closes last comes last. */
  openCircuits(): Promise<readonly GivenUpHost[]>;
  /**
   * Hosts awaiting DNS whose name is to be looked up now, the longest waiting first: their URLs are not leased before `resolved`.
   * A host is offered again only after half a minute without an answer, so that two processes do not look up the same name.
   * Empty where the frontier was opened without addresses.
   */
  awaitingDns(now: EpochMs, count: number): Promise<readonly HostKey[]>;
  /** Stores the answer to a look-up. An answer that no host waits for changes nothing. */
  resolved(host: HostKey, answer: AddressAnswer, now: EpochMs): Promise<void>;

  /** The given leases that are still out. */
  outOf(tokens: readonly number[]): Promise<ReadonlySet<number>>;
  /** Number of committed pages that count for the page limit, by any process. */
  countedPages(): Promise<number>;

  /** The highest time that it has seen. While a caller's clock is behind it, nothing becomes due. */
  latest(): Promise<EpochMs>;
  totals(): Promise<FrontierTotals>;
  /** The hosts with the most queued URLs, and the one that is due last. At most `count`. */
  slowestHosts(count: number): Promise<readonly HostState[]>;
  stateOf(url: CanonicalUrl): Promise<UrlState>;
  /** Seeds and the targets of their redirects, in order of arrival. */
  seeds(): Promise<readonly CanonicalUrl[]>;

  /** The oldest entries that are not on disk yet; empty where there are none. */
  journal(count: number): Promise<JournalStretch>;
  /** All entries that are not on disk yet: for the start of a run. */
  unwritten(): Promise<readonly JournalEntry[]>;
  /** Forgets entries that are on disk and stores the files' lengths for the repair after a crash, in one step. May be repeated with other lengths. */
  journalWritten(position: JournalPosition): Promise<void>;
  /** The last position written; null in a new crawl. */
  journalPosition(): Promise<JournalPosition | null>;

  /** Sum of all credit; any value but TOTAL_CREDIT is a bug. For tests and `doctor`; walks over everything. */
  audit(): Promise<number>;
}
