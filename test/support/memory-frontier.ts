/**
 * The frontier in memory: the readable specification that the one in Redis is compared with. No packing, no indexes, no
 * journal position; every rule once, in the plainest way.
 */
import { epochMs, TOTAL_CREDIT, type EpochMs } from '../../src/base/units.ts';
import type { FrontierTotals, LeaseReply, LeaseRequest, SettleReply, UrlState } from '../../src/frontier/frontier.ts';
import type { Candidate } from '../../src/model/candidate.ts';
import type { CanonicalUrl } from '../../src/model/canonical-url.ts';
import { hostKeyOf, type HostKey } from '../../src/model/host-key.ts';
import type { SkippedRecord } from '../../src/model/record.ts';
import type { Ending, Settlement } from '../../src/model/settlement.ts';
import type { Visit } from '../../src/model/visit.ts';

interface Pending {
  facts: Candidate;
  credit: number;
  attempts: number;
  /** Set while it waits for another try. */
  retry: EpochMs | null;
  /** Set while it is leased. */
  token: number | null;
  deadline: EpochMs | null;
  leasedAt: EpochMs;
}

interface Host {
  due: number;
  floor: number;
  delay: number | null;
  slots: number;
  failures: number;
  failedAt: number;
  /** Guesses that may be pending at a time. */
  trust: number;
  /** Guesses that wait for a place, in the order in which they came. */
  readonly held: Candidate[];
  /** Texts that guesses were answered with. */
  readonly answers: Set<string>;
}

type Known = Pending | 'visited' | 'failed' | 'skipped' | 'deferred';

const TICK = 100;
const FIRST_TRUST = 8;
const MOST_TRUST = 64;
const HELD_LIMIT = 1000;

export class MemoryFrontier {
  readonly #urls = new Map<string, Known>();
  readonly #hosts = new Map<HostKey, Host>();
  readonly #journal: string[] = [];
  #lambda: number = TOTAL_CREDIT;
  #clock = 0;
  #tokens = 0;

  admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): number {
    if (candidates.length + skipped.length > 0) this.#advance(now);
    const seeds = new Set(
      candidates.filter(({ kind, url }) => kind === 'seed' && this.#unseen(url)).map((it) => it.url),
    );
    const share = seeds.size === 0 ? 0 : Math.floor(this.#lambda / 2 / seeds.size);
    const [first, others] = [seedsOf(candidates, true), seedsOf(candidates, false)];
    const added = first.map((candidate) => this.#admit(candidate, seeds.delete(candidate.url) ? share : 0));
    this.#takeUp();
    const [links, guesses] = parted(others);
    added.push(...links.map((candidate) => this.#admit(candidate, 0)));
    const refused = skipped.map((record) => this.#skip(record));
    const guessed = guesses.map((guess) => this.#guess(guess));
    this.#takeUp();
    return [...added, ...refused, ...guessed].filter(Boolean).length;
  }

  lease(request: LeaseRequest): LeaseReply {
    this.#advance(request.now);
    for (const it of this.#pending()) if (it.retry !== null && it.retry <= this.#clock) it.retry = null;
    const visits: Visit[] = [];
    while (visits.length < request.count) {
      const head = this.#richestHead();
      if (head === undefined) break;
      visits.push(this.#leaseOut(head, request));
    }
    if (visits.length > 0) return { kind: 'leased', visits };
    const retries = this.#pending().flatMap((it) => it.retry ?? []);
    const dues = this.#hostsWithWork().map(([, host]) => host.due);
    if (retries.length + dues.length === 0) return { kind: 'nothing-queued' };
    return { kind: 'nothing-due', nextDue: epochMs(Math.min(...retries, ...dues)) };
  }

  renew(token: number, until: EpochMs): boolean {
    const pending = this.#leased(token);
    if (pending === undefined) return false;
    pending.deadline = until;
    return true;
  }

  settle(visit: Visit, { ending, links, ...given }: Settlement, now: EpochMs): SettleReply {
    const pending = this.#leased(visit.token);
    if (pending === undefined) return { kind: 'fenced' };
    this.#advance(now);
    const host = this.#host(visit.host);
    pending.token = null;
    host.delay = given.hostDelay;
    host.slots = given.hostSlots;
    if (given.hostBackoff === null) host.failures = 0;
    else if (pending.leasedAt >= host.failedAt) [host.failures, host.failedAt] = [host.failures + 1, this.#clock];
    this.#postpone(visit.host, this.#clock + Math.max(given.hostDelay, given.hostBackoff ?? 0));
    if (ending.kind === 'retry') pending.retry = ending.due;
    else this.#urls.set(visit.url, ending.kind);
    // the place of the guess is free before its links are looked at; its budget is as they find it
    const isGuess = pending.facts.confidence === 'low';
    if (isGuess) this.#prove(host, ending);

    const offered = links.flatMap(({ target }) => (target.kind === 'candidate' ? [target.candidate] : []));
    const [accepted, guesses] = parted(offered);
    const targets = new Set(ending.kind === 'visited' ? accepted.map(({ url }) => url) : []);
    const share =
      targets.size === 0 ? 0 : Math.floor((pending.credit - Math.floor(pending.credit / 10)) / targets.size);
    if (ending.kind !== 'retry') this.#lambda += pending.credit;
    if (ending.kind === 'skipped') this.#journal.push(ending.record.url);
    const added = accepted.map((candidate) => this.#admit(candidate, targets.delete(candidate.url) ? share : 0));
    const refused = links.flatMap(({ target }) => (target.kind === 'skipped' ? [this.#skip(target.record)] : []));
    const guessed = guesses.map((guess) => this.#guess(guess));
    const redirected = ending.kind === 'visited' && ending.record.outcome === 'redirected';
    if (isGuess && redirected && !guessed.includes(true)) host.trust -= 1;
    this.#takeUp();
    return { kind: 'settled', newLinks: [...added, ...refused, ...guessed].filter(Boolean).length };
  }

  release(token: number, now: EpochMs): boolean {
    const pending = this.#leased(token);
    if (pending === undefined) return false;
    this.#advance(now);
    this.#takeBack(pending, 1, 0);
    return true;
  }

  reap(now: EpochMs, hostDue: EpochMs): number {
    this.#advance(now);
    const late = this.#pending().filter((it) => it.token !== null && (it.deadline ?? 0) <= this.#clock);
    for (const pending of late) this.#takeBack(pending, 0, hostDue);
    return late.length;
  }

  reclaim(now: EpochMs, hostDue: EpochMs): number {
    this.#advance(now);
    const out = this.#pending().filter((it) => it.token !== null);
    for (const pending of out) this.#takeBack(pending, 1, hostDue);
    return out.length;
  }

  flushDeferred(): number {
    const deferred = [...this.#urls].filter(([, known]) => known === 'deferred');
    for (const [url] of deferred) {
      this.#urls.set(url, 'skipped');
      this.#journal.push(url);
    }
    return deferred.length;
  }

  totals(): FrontierTotals {
    const all = [...this.#urls.values()];
    const ended = (...kinds: readonly Known[]): number => all.filter((known) => kinds.includes(known)).length;
    const pending = this.#pending();
    const leased = pending.filter((it) => it.token !== null).length;
    return {
      discovered: all.length,
      visited: ended('visited'),
      failed: ended('failed'),
      skipped: ended('skipped', 'deferred'),
      queued: pending.length - leased,
      leased,
      hosts: new Set(pending.map((it) => hostKeyOf(it.facts.url))).size,
    };
  }

  stateOf(url: CanonicalUrl): UrlState {
    const known = this.#urls.get(url);
    if (known === undefined) return { kind: 'unknown' };
    if (typeof known === 'string') return { kind: 'ended' };
    const figures = { credit: known.credit, attempt: known.attempts };
    return known.token === null ? { kind: 'queued', ...figures, due: known.retry } : { kind: 'leased', ...figures };
  }

  /** URLs that have a line in skipped.jsonl. */
  skippedLines(): readonly string[] {
    return this.#journal;
  }

  audit(): number {
    return this.#pending().reduce((sum, it) => sum + it.credit, this.#lambda);
  }

  #advance(now: EpochMs): void {
    this.#clock = Math.max(this.#clock, now);
  }

  #pending(): Pending[] {
    return [...this.#urls.values()].filter((known) => typeof known !== 'string');
  }

  #leased(token: number): Pending | undefined {
    return this.#pending().find((it) => it.token === token);
  }

  #unseen(url: CanonicalUrl): boolean {
    const known = this.#urls.get(url);
    return known === undefined || known === 'deferred';
  }

  #host(key: HostKey): Host {
    const host = this.#hosts.get(key) ?? {
      due: this.#clock,
      floor: 0,
      delay: null,
      slots: 1,
      failures: 0,
      failedAt: 0,
      trust: FIRST_TRUST,
      held: [],
      answers: new Set(),
    };
    this.#hosts.set(key, host);
    return host;
  }

  #out(key: HostKey): number {
    return this.#pending().filter((it) => it.token !== null && hostKeyOf(it.facts.url) === key).length;
  }

  /** What is asked for stands; the pessimistic time of a lease stands only as long as one is out. */
  #postpone(key: HostKey, due: number): void {
    const host = this.#host(key);
    host.floor = Math.max(host.floor, due);
    host.due = Math.max(host.floor, this.#out(key) === 0 ? this.#clock : host.due);
  }

  #queue(key: HostKey): Pending[] {
    const queued = this.#pending().filter((it) => it.token === null && it.retry === null);
    const own = queued.filter((it) => hostKeyOf(it.facts.url) === key);
    return own.toSorted((a, b) => b.credit - a.credit || (a.facts.url < b.facts.url ? -1 : 1));
  }

  #hostsWithWork(): readonly [HostKey, Host][] {
    return [...this.#hosts].filter(([key, host]) => this.#queue(key).length > 0 && this.#out(key) < host.slots);
  }

  #richestHead(): Pending | undefined {
    const due = this.#hostsWithWork().filter(([, host]) => host.due <= this.#clock);
    const ordered = due.toSorted(([a, x], [b, y]) => x.due - y.due || (a < b ? -1 : 1));
    const tick = Math.floor((ordered[0]?.[1].due ?? 0) / TICK);
    const atOnce = ordered.filter(([, host]) => Math.floor(host.due / TICK) === tick);
    const heads = atOnce.map(([key]) => this.#queue(key)[0]).filter((head) => head !== undefined);
    return heads.toSorted((a, b) => b.credit - a.credit)[0];
  }

  #leaseOut(pending: Pending, request: LeaseRequest): Visit {
    const key = hostKeyOf(pending.facts.url);
    const host = this.#host(key);
    const leasedAt = epochMs(this.#clock);
    const leasedUntil = epochMs(leasedAt + request.leaseFor);
    pending.attempts += 1;
    pending.token = this.#tokens += 1;
    [pending.leasedAt, pending.deadline] = [leasedAt, leasedUntil];
    host.due = Math.max(host.floor, leasedAt + (host.delay ?? request.newHostDelay));
    return { ...pending.facts, host: key, attempt: pending.attempts, token: pending.token, leasedAt, leasedUntil };
  }

  #takeBack(pending: Pending, uncounted: number, hostDue: number): void {
    pending.token = null;
    pending.attempts -= uncounted;
    this.#postpone(hostKeyOf(pending.facts.url), hostDue);
  }

  #admit(facts: Candidate, credit: number): boolean {
    const known = this.#urls.get(facts.url);
    if (known === undefined || known === 'deferred') {
      this.#host(hostKeyOf(facts.url));
      const leasedAt = epochMs(0);
      this.#urls.set(facts.url, { facts, credit, attempts: 0, retry: null, token: null, deadline: null, leasedAt });
      this.#lambda -= credit;
      return known === undefined;
    }
    if (typeof known === 'string') return false;
    if (known.token === null) {
      const better = known.facts.confidence === 'low' || facts.depth < known.facts.depth ? facts : known.facts;
      const [depth, hops] = [Math.min(facts.depth, known.facts.depth), Math.min(facts.hops, known.facts.hops)];
      known.facts = { ...better, depth, hops };
    }
    known.credit += credit;
    this.#lambda -= credit;
    return false;
  }

  /** A guess changes nothing of what is known; one for which there is no place is skipped so far. */
  #guess(facts: Candidate): boolean {
    if (this.#urls.has(facts.url)) return false;
    const { held } = this.#host(hostKeyOf(facts.url));
    if (this.#hasPlace(facts)) return this.#admit(facts, 0);
    this.#urls.set(facts.url, 'deferred');
    if (held.length < HELD_LIMIT) held.push(facts);
    return true;
  }

  #takeUp(): void {
    for (const { held } of this.#hosts.values()) {
      while (held[0] !== undefined && this.#hasPlace(held[0])) {
        const [facts] = held.splice(0, 1);
        if (facts !== undefined && this.#urls.get(facts.url) === 'deferred') this.#admit(facts, 0);
      }
    }
  }

  #hasPlace({ url }: Candidate): boolean {
    const key = hostKeyOf(url);
    const guesses = this.#pending().filter(({ facts }) => facts.confidence === 'low' && hostKeyOf(facts.url) === key);
    return guesses.length < this.#host(key).trust;
  }

  #prove(host: Host, ending: Ending): void {
    const wrong = (): void => void (host.trust -= 1);
    if (ending.kind === 'failed') wrong();
    if (ending.kind !== 'visited' || ending.record.outcome === 'redirected') return;
    const { digest } = ending.record;
    if (digest !== null && host.answers.has(digest)) wrong();
    else host.trust = Math.min(MOST_TRUST, host.trust + 1);
    if (digest !== null) host.answers.add(digest);
  }

  #skip(record: SkippedRecord): boolean {
    if (this.#urls.has(record.url)) return false;
    const deferrable = record.reason === 'depth' || record.reason === 'nofollow';
    this.#urls.set(record.url, deferrable ? 'deferred' : 'skipped');
    if (!deferrable) this.#journal.push(record.url);
    return true;
  }
}

/** What links named, and what was only guessed. */
function parted(candidates: readonly Candidate[]): readonly [links: Candidate[], guesses: Candidate[]] {
  const of = (confidence: Candidate['confidence']): Candidate[] =>
    candidates.filter((candidate) => candidate.confidence === confidence);
  return [of('high'), of('low')];
}

function seedsOf(candidates: readonly Candidate[], wanted: boolean): readonly Candidate[] {
  return candidates.filter(({ kind }) => (kind === 'seed') === wanted);
}
