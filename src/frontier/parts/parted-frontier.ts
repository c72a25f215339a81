/**
 * One crawl whose hosts are split over parts, each a frontier of its own in Redis, on any node of a cluster (design/scale, "One crawl over several
 * nodes"). A call about one URL or host goes to its part; a call about the crawl goes to all.
 */
import { epochMs, type EpochMs } from '../../base/units.ts';
import type { Candidate, SecondVisit } from '../../model/candidate.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { GivenUpHost, SkippedRecord, SuspectedTrap } from '../../model/record.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import type { CommittedLink, VisitCommit } from '../../model/visit-commit.ts';
import type { Visit } from '../../model/visit.ts';
import { commitVisit, whatStands } from '../commit-visit.ts';
import { stateKey } from '../frontier-state.ts';
import type {
  AddressAnswer,
  CommitReply,
  Frontier,
  FrontierTotals,
  HeldBack,
  HostState,
  JournalPosition,
  JournalStretch,
  LeaseReply,
  LeaseRequest,
  Reclaimed,
  UrlState,
} from '../frontier.ts';
import { foundUrlOf } from '../sendable-links.ts';
import { creditOnTheWay } from './exchange.ts';
import { admitElsewhere, forgetAhead } from './links-elsewhere.ts';
import { PartedJournal } from './parted-journal.ts';
import { PartLeases } from './part-leases.ts';
import type { Parts } from './part.ts';
import { SharedAddresses } from './shared-addresses.ts';

/** Seeds per command (arbitrary). */
const SEEDS_CHUNK = 500;

export class PartedFrontier implements Frontier {
  readonly #parts: Parts;
  readonly #addresses: SharedAddresses;
  readonly #leases: PartLeases;
  readonly #journal: PartedJournal;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#addresses = new SharedAddresses(parts);
    this.#leases = new PartLeases(parts, this.#addresses);
    this.#journal = new PartedJournal(parts);
  }

  async admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): Promise<number> {
    await this.#keepSeeds(candidates.filter(({ kind }) => kind === 'seed'));
    const named = this.#parts.byPart(candidates, ({ url }) => url);
    const left = this.#parts.byPart(skipped, ({ url }) => url);
    return this.#parts.sum((part) => part.frontier.admit(named.get(part) ?? [], left.get(part) ?? [], now));
  }

  /** Keeps all seeds in the first part, in order of arrival; each part keeps its own as well. */
  async #keepSeeds(seeds: readonly Candidate[]): Promise<void> {
    if (seeds.length === 0) return;
    const first = this.#parts.at(0);
    const name = stateKey(first, 'seeds');
    const known = await first.client.zcard(name);
    for (let start = 0; start < seeds.length; start += SEEDS_CHUNK) {
      const some = seeds.slice(start, start + SEEDS_CHUNK);
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await first.client.zadd(name, 'NX', ...some.flatMap(({ url }, index) => [known + start + index, url]));
    }
  }

  async admitLinks(links: readonly CommittedLink[], now: EpochMs): Promise<ReadonlySet<string>> {
    const found = links.filter((each) => foundUrlOf(each) !== null);
    const byPart = this.#parts.byPart(found, (each) => foundUrlOf(each)?.url ?? '');
    const added = await Promise.all([...byPart].map(([part, some]) => part.frontier.admitLinks(some, now)));
    return new Set(added.flatMap((some) => [...some]));
  }

  lease(request: LeaseRequest): Promise<LeaseReply> {
    return this.#leases.lease(request);
  }

  begin(token: number, until: EpochMs): Promise<boolean> {
    return this.#parts.ofToken(token).frontier.begin(this.#parts.ownToken(token), until);
  }

  renew(token: number, until: EpochMs): Promise<boolean> {
    return this.#parts.ofToken(token).frontier.renew(this.#parts.ownToken(token), until);
  }

  async commit(visit: Visit, finished: VisitCommit, now: EpochMs): Promise<CommitReply> {
    const commit = whatStands(visit, finished);
    const { own, elsewhere, marks } = await admitElsewhere(this.#parts, visit.url, commit.links, now);
    const given = { visit: this.#parts.ownVisit(visit), commit: { ...commit, links: own }, elsewhere };
    try {
      const reply = await commitVisit(this.#parts.ofToken(visit.token), given, now);
      if (reply.kind === 'committed') await forgetAhead(marks);
      return reply;
    } finally {
      // after a failed commit, the page has to ask again
      for (const [part, urls] of marks) for (const url of urls) part.known.delete(url);
    }
  }

  release(token: number, now: EpochMs, hostDue?: EpochMs): Promise<boolean> {
    return this.#parts.ofToken(token).frontier.release(this.#parts.ownToken(token), now, hostDue);
  }

  fold(visit: Visit, skipped: SkippedRecord, fold: string, now: EpochMs): Promise<boolean> {
    const { frontier } = this.#parts.ofToken(visit.token);
    return frontier.fold(this.#parts.ownVisit(visit), skipped, fold, now);
  }

  unfold(fold: string, now: EpochMs): Promise<number> {
    return this.#parts.sum(({ frontier }) => frontier.unfold(fold, now));
  }

  async visitAgain(urls: readonly SecondVisit[], now: EpochMs): Promise<number> {
    const byPart = this.#parts.byPart(urls, ({ url }) => url);
    const queued = [...byPart].map(([part, some]) => part.frontier.visitAgain(some, now));
    return (await Promise.all(queued)).reduce((sum, each) => sum + each, 0);
  }

  reap(now: EpochMs, hostDue: EpochMs): Promise<number> {
    return this.#parts.sum(({ frontier }) => frontier.reap(now, hostDue));
  }

  async reclaim(before: 'died' | 'ended', now: EpochMs, hostDue: EpochMs): Promise<Reclaimed> {
    const all = await this.#parts.ask(({ frontier }) => frontier.reclaim(before, now, hostDue));
    return {
      taken: all.reduce((sum, { taken }) => sum + taken, 0),
      suspects: all.flatMap(({ suspects }) => suspects),
    };
  }

  async stopping(): Promise<void> {
    await this.#parts.ask(({ frontier }) => frontier.stopping());
  }

  flushDeferred(now: EpochMs): Promise<number> {
    return this.#parts.sum(({ frontier }) => frontier.flushDeferred(now));
  }

  async *heldBack(): AsyncGenerator<HeldBack> {
    for (const { frontier } of this.#parts.all) yield* frontier.heldBack();
  }

  leasable(): Promise<number> {
    return this.#parts.sum(({ frontier }) => frontier.leasable());
  }

  async skippedSoFar(rule: string): Promise<readonly SkippedRecord[]> {
    return (await this.#parts.ask(({ frontier }) => frontier.skippedSoFar(rule))).flat();
  }

  async suspectedTraps(): Promise<readonly SuspectedTrap[]> {
    return (await this.#parts.ask(({ frontier }) => frontier.suspectedTraps())).flat();
  }

  /** Hosts by part; the one that closes last comes last in its part's list. */
  async openCircuits(): Promise<readonly GivenUpHost[]> {
    return (await this.#parts.ask(({ frontier }) => frontier.openCircuits())).flat();
  }

  async awaitingDns(now: EpochMs, count: number): Promise<readonly HostKey[]> {
    const hosts: HostKey[] = [];
    for (const [index, { frontier }] of this.#parts.all.entries()) {
      const share = Math.ceil((count - hosts.length) / (this.#parts.count - index));
      if (share > 0) hosts.push(...(await frontier.awaitingDns(now, share)));
    }
    return hosts;
  }

  resolved(host: HostKey, answer: AddressAnswer, now: EpochMs): Promise<void> {
    return this.#addresses.resolved(host, answer, now);
  }

  async outOf(tokens: readonly number[]): Promise<ReadonlySet<number>> {
    const out = await this.#parts.ask(async (part) => {
      const own = tokens.filter((token) => this.#parts.ofToken(token) === part);
      if (own.length === 0) return [];
      const found = await part.frontier.outOf(own.map((token) => this.#parts.ownToken(token)));
      return own.filter((token) => found.has(this.#parts.ownToken(token)));
    });
    return new Set(out.flat());
  }

  countedPages(): Promise<number> {
    return this.#parts.sum(({ frontier }) => frontier.countedPages());
  }

  async latest(): Promise<EpochMs> {
    return epochMs(Math.max(...(await this.#parts.ask(({ frontier }) => frontier.latest()))));
  }

  async totals(): Promise<FrontierTotals> {
    return (await this.#parts.ask(({ frontier }) => frontier.totals())).reduce((one, other) => ({
      discovered: one.discovered + other.discovered,
      visited: one.visited + other.visited,
      failed: one.failed + other.failed,
      skipped: one.skipped + other.skipped,
      queued: one.queued + other.queued,
      leased: one.leased + other.leased,
      hosts: one.hosts + other.hosts,
      withheld: one.withheld + other.withheld,
      queuedAgain: one.queuedAgain + other.queuedAgain,
      leasedAgain: one.leasedAgain + other.leasedAgain,
    }));
  }

  async slowestHosts(count: number): Promise<readonly HostState[]> {
    const all = (await this.#parts.ask(({ frontier }) => frontier.slowestHosts(count))).flat();
    const pending = ({ queued, leased }: HostState): number => queued + leased;
    const most = all.toSorted((one, other) => pending(other) - pending(one)).slice(0, count);
    const [last] = all.toSorted((one, other) => other.due - one.due);
    return last === undefined || most.includes(last) ? most : [...most.slice(0, count - 1), last];
  }

  stateOf(url: CanonicalUrl): Promise<UrlState> {
    return this.#parts.ofUrl(url).frontier.stateOf(url);
  }

  async seeds(): Promise<readonly CanonicalUrl[]> {
    const seeds = (await this.#parts.ask(({ frontier }) => frontier.seeds())).flat();
    return [...new Set(seeds)].map(storedCanonicalUrl);
  }

  journal(count: number): Promise<JournalStretch> {
    return this.#journal.read(count);
  }

  unwritten(): Promise<readonly JournalEntry[]> {
    return this.#journal.unwritten();
  }

  journalWritten(position: JournalPosition): Promise<void> {
    return this.#journal.wasWritten(position);
  }

  journalPosition(): Promise<JournalPosition | null> {
    return this.#journal.position();
  }

  async audit(): Promise<number> {
    return (await this.#parts.sum(({ frontier }) => frontier.audit())) + (await creditOnTheWay(this.#parts));
  }
}
