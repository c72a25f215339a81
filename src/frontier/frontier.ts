/**
 * The frontier: which URLs are known, which are to be visited, and when. It alone owns time and retries.
 *
 * States of a URL, and who moves it:
 *
 *     unknown ──admit──▶ queued ──lease──▶ leased ──commit──▶ visited | failed | skipped   (final)
 *        │                 ▲                 │
 *        │                 ├──commit(retry)──┤   another try, not before it is due
 *        │                 ├──release────────┤   given back unvisited, the attempt does not count
 *        │                 └──reap, reclaim──┘   not committed in time, or its process has ended; neither costs an attempt
 *        │            visitAgain ◀── visited: a second visit; the URL stays counted as visited whatever comes of it
 *        └──admit(skipped) / commit(link skipped)──▶ skipped   (final; for `depth`, `nofollow`, `duplicate`, `duplicate-query` and
 *                                                                `low-confidence` it may still become queued)
 *
 * Invariants, each asserted by the tests after every operation:
 *   - discovered = visited + failed + skipped + queued + leased; a URL that waits for its second visit, or is leased for it, is among the visited,
 *     and in `queuedAgain` or `leasedAgain` besides;
 *   - a second visit counts for no limit, no budget and no domain, and writes a line only where it was visited;
 *   - the credit of all pending URLs, of the lambda page and of the remainders is TOTAL_CREDIT, exactly;
 *   - a host has at most as many leases out as its last commit allows (`hostSlots`; 1 before there was one), and a
 *     lease is given not before the host is due;
 *   - a host's next visit is written (pessimistically) when a URL of it is leased, so that a crash cannot shorten a delay;
 *   - tokens rise; a commit, renewal or release under a token that is not out changes nothing;
 *   - where there is a host limit, the pages of a host that were visited, are leased or wait for another try are never more. When a host has
 *     used the limit up, `flushDeferred` skips its queued URLs; a resumed crawl with a higher limit leases them
 *     (lua/includes/host_limit.lua);
 *   - of speculative links (candidates of low confidence) no more are pending on a host than it trusts: 8, one more for each that proved
 *     right, one less for each that proved wrong, 64 at the most (lua/includes/speculative.lua);
 *   - a page that was visited when the program ended suddenly is a suspect: it is leased before all others, and while its lease is out
 *     there is no other, however many slots are free: so a second end blames it alone, and no page that was visited beside it;
 *   - an entry is in the journal from the commit that makes it until `journalWritten` says that it is on disk.
 *
 * No decision rests on the expiry of a key. `now` is given by the caller and never runs back: the scripts keep the
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
  /** Queued and waiting for another try; the leased ones are not in it. */
  readonly queued: number;
  readonly leased: number;
  /** Hosts that have something queued or leased. */
  readonly hosts: number;
  /** Queued URLs whose host has used up the host limit: they are not leased. */
  readonly withheld: number;
  /** URLs that wait for a second visit, and that their host's limit does not withhold. They are among the visited. */
  readonly queuedAgain: number;
  /** URLs that are leased for a second visit, likewise. */
  readonly leasedAgain: number;
}

export type LeaseReply =
  | { readonly kind: 'leased'; readonly visits: readonly Visit[] }
  /** Something is queued and no host is due before this. */
  | { readonly kind: 'nothing-due'; readonly nextDue: EpochMs }
  /** Nothing is queued that may be visited; leases may be out and bring new links, or a host may have no slot free. */
  | { readonly kind: 'nothing-queued' }
  /** All that is queued belongs to hosts whose circuit is open for hours, see `openCircuits`. */
  | { readonly kind: 'circuits-open' };

export interface LeaseRequest {
  readonly now: EpochMs;
  /** How many visits at the most; 1 or more. */
  readonly count: number;
  /** How long until the lease is taken back, unless it is renewed. */
  readonly leaseFor: Milliseconds;
  /**
   * A host's next lease is not before now + its own delay, which the last commit of it gave (`hostDelay`); this one
   * stands for hosts that nothing was committed of yet.
   */
  readonly newHostDelay: Milliseconds;
  /**
   * Where politeness counts for each egress address: those that living processes have, also those that have no place free now. Left out: one
   * that nobody has said, for all.
   */
  readonly egresses?: readonly EgressPlaces[];
}

/** Visits that processes of one egress address take. */
export interface EgressPlaces {
  /** Empty for processes that have not said it. */
  readonly address: string;
  /** 0 or more. */
  readonly count: number;
}

export type CommitReply = { readonly kind: 'committed'; readonly newLinks: number } | { readonly kind: 'fenced' };

/** Leases of an earlier run. */
export interface Reclaimed {
  readonly taken: number;
  /** Pages that were visited when that run ended suddenly. */
  readonly suspects: readonly CanonicalUrl[];
}

/** A stretch of the journal, in order. `upTo` is the argument of `journalWritten`. */
export interface JournalStretch {
  readonly entries: readonly JournalEntry[];
  readonly upTo: number;
}

/** Lengths in bytes that the files of the crawl folder have when all entries up to a number are in them. */
export interface JournalPosition {
  readonly upTo: number;
  readonly lengths: Readonly<Record<string, number>>;
}

/** URLs that are not visited by what is known so far, with how the totals count them. */
export interface HeldBack {
  readonly from: 'skipped' | 'queued';
  /** As they would stand in skipped.jsonl if the crawl ended now. */
  readonly records: readonly SkippedRecord[];
}

/** Result of looking up a host's name. */
export type AddressAnswer =
  | { readonly kind: 'address'; readonly address: string }
  /** No address will be known, as where a proxy looks names up: the host passes no gate by address. */
  | { readonly kind: 'no-address' }
  /** `nextTry` is null after the last try: the host is let through, and its visits fail by themselves. */
  | { readonly kind: 'failed'; readonly nextTry: EpochMs | null };

export interface HostState {
  readonly host: HostKey;
  readonly due: EpochMs;
  readonly queued: number;
  readonly leased: number;
  /** Failures in a row that blame the host. */
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
   * Makes URLs known: candidates are queued, skipped ones only recorded. A URL that is known already stays as it is
   * (but the smaller depth wins while it is queued, a link makes a speculative link a link, and one that was skipped for its depth,
   * for nofollow, because only duplicates named it or as a speculative link is queued after all). A speculative link changes nothing of what is known.
   * @returns how many were new
   */
  admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): Promise<number>;
  /** Admits what the links of a page lead to, as {@link admit} does. @returns the URLs that were new */
  admitLinks(links: readonly CommittedLink[], now: EpochMs): Promise<ReadonlySet<string>>;
  /**
   * Of the hosts that are due the one of the highest priority first, and its first page; every sixteenth time the host that has been due
   * longest. No visit begins on an address within a second of another (or the host's delay, where that is shorter), and a domain has two
   * at a time, or as many as one host of it may have.
   */
  lease(request: LeaseRequest): Promise<LeaseReply>;
  /**
   * A worker takes up a visit, before it touches the page: an end of the program from now on may be the page's doing.
   * @returns false where the lease is not out any more: the visit must be dropped
   */
  begin(token: number, until: EpochMs): Promise<boolean>;
  /** @returns false where the lease is not out any more: the visit must be dropped. */
  renew(token: number, until: EpochMs): Promise<boolean>;
  /**
   * Commits a finished visit in one step. Given twice, the second changes nothing and is answered `fenced`. Of a second visit that did not end as
   * visited nothing is written: the first one stands.
   */
  commit(visit: Visit, commit: VisitCommit, now: EpochMs): Promise<CommitReply>;
  /**
   * Gives a lease back as if it had not been taken.
   * @param hostDue the host is not due before it, where given
   * @returns false where it was not out
   */
  release(token: number, now: EpochMs, hostDue?: EpochMs): Promise<boolean>;
  /**
   * Ends a lease without a visit: its URL differs from a page that was visited in parameters that change nothing. The host is due as if it had
   * not been leased. The URL is skipped so far: `unfold` brings it back.
   * @param fold the id under which they come back together
   * @returns false where that is known to be wrong by now, or the lease is not out
   */
  fold(visit: Visit, skipped: SkippedRecord, fold: string, now: EpochMs): Promise<boolean>;
  /**
   * Queues the URLs that were folded under an id, and every URL that is folded under it from now on.
   * @returns how many came back now
   */
  unfold(fold: string, now: EpochMs): Promise<number>;
  /**
   * Queues URLs that were visited for a second visit, which its lease says (`Visit.again`). One that is pending, or was never visited, stays as it
   * is: twice changes nothing. Where the crawl ends before, the first visit stands.
   * @param urls with the ways by which they were found, and what was recorded of them (`Visit.recorded`)
   * @returns how many were queued
   */
  visitAgain(urls: readonly SecondVisit[], now: EpochMs): Promise<number>;
  /**
   * Takes back the leases that ran out. The calling process is alive, so no page is to blame, and no attempt is counted. Their hosts are
   * not due before `hostDue` (now + delay: the visit may have gone on until now). @returns how many were taken back
   */
  reap(now: EpochMs, hostDue: EpochMs): Promise<number>;
  /**
   * Takes back every lease, due or not, without counting an attempt: for a resume, when no worker can be alive. Where the run before
   * `died`, without a word of its end, that counts as a death of each page whose visit had begun (`Visit.deaths`).
   */
  reclaim(before: 'died' | 'ended', now: EpochMs, hostDue: EpochMs): Promise<Reclaimed>;
  /** The user wants the end: no page under way is to blame if the program is killed before it has ended. */
  stopping(): Promise<void>;
  /**
   * Writes the URLs that stay skipped for the way to them (depth, nofollow, duplicates, speculative links) to the journal, at the end of a crawl: until then a shorter way
   * may still queue them. They count as skipped from the start. Pending URLs of a pattern over budget, or of a host that has used up the
   * host limit, are skipped now.
   * @returns how many lines were written
   */
  flushDeferred(now: EpochMs): Promise<number>;

  /**
   * Reads what `flushDeferred` would write, each once, and changes nothing: a crawl that ends at a limit may go on. Nothing may be leased or
   * committed meanwhile.
   */
  heldBack(): AsyncIterable<HeldBack>;
  /** Queued URLs that this run or, with a higher limit, a later one would visit: all but those of patterns over budget. */
  leasable(): Promise<number>;
  /** URLs that are skipped so far for this rule. Walks over all that are skipped so far: for the start of a run. */
  skippedSoFar(rule: string): Promise<readonly SkippedRecord[]>;
  /** URL patterns that brought nothing new and are over their budget, in no order. */
  suspectedTraps(): Promise<readonly SuspectedTrap[]>;
  /** Hosts that failed so often in a row that their circuit is open for hours, the one that closes last at the end. */
  openCircuits(): Promise<readonly GivenUpHost[]>;
  /**
   * Hosts awaiting DNS whose name is to be looked up now, the longest waiting first: no URL of them is leased before `resolved`.
   * A host is offered again only after half a minute without an answer, so that two processes do not look up the same name.
   * Empty where the frontier was opened without addresses.
   */
  awaitingDns(now: EpochMs, count: number): Promise<readonly HostKey[]>;
  /** Takes the answer to a look-up. One that no host waits for changes nothing. */
  resolved(host: HostKey, answer: AddressAnswer, now: EpochMs): Promise<void>;

  /** Those of these leases that are out. */
  outOf(tokens: readonly number[]): Promise<ReadonlySet<number>>;
  /** Pages that were committed and count for the limit of pages, by whatever process. */
  countedPages(): Promise<number>;

  totals(): Promise<FrontierTotals>;
  /** The hosts with the most queued, and the one that is due last. At most `count`. */
  slowestHosts(count: number): Promise<readonly HostState[]>;
  stateOf(url: CanonicalUrl): Promise<UrlState>;
  /** Seeds and the targets of their redirects, in the order in which they came. */
  seeds(): Promise<readonly CanonicalUrl[]>;

  /** The oldest entries that are not on disk yet; empty where there are none. */
  journal(count: number): Promise<JournalStretch>;
  /** All entries that are not on disk yet: for the start of a run. */
  unwritten(): Promise<readonly JournalEntry[]>;
  /** Forgets entries that are on disk, and keeps the files' lengths for the repair after a crash, in one step. Other lengths may be given for the same entries. */
  journalWritten(position: JournalPosition): Promise<void>;
  /** The last position written; null in a new crawl. */
  journalPosition(): Promise<JournalPosition | null>;

  /** Sum of all credit; TOTAL_CREDIT, or something is broken. For tests and `doctor`; walks over everything. */
  audit(): Promise<number>;
}
