/**
 * The frontier in Redis. All decisions are made in lua/: this file shapes arguments and reads replies. States and invariants are in frontier.ts,
 * keys in keys.ts.
 */
import { epochMs, seconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import type { Candidate, SecondVisit } from '../model/candidate.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import type { GivenUpHost, SkippedRecord, SuspectedTrap } from '../model/record.ts';
import { storedCanonicalUrl, type CanonicalUrl } from '../model/url/canonical-url.ts';
import { hostKeyOf, storedHostKey, type HostKey } from '../model/url/host-key.ts';
import { urlShape } from '../model/url/url-shape.ts';
import type { CommittedLink, VisitCommit } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import type { RedisClient } from '../redis/client.ts';
import { replyText, wholeOf } from '../redis/reply.ts';
import { admitUrls } from './admit-urls.ts';
import { commitVisit, NOTHING_ELSEWHERE } from './commit-visit.ts';
import { fingerprintNumber } from './fingerprint-number.ts';
import type {
  AddressAnswer,
  Frontier,
  FrontierTotals,
  HeldBack,
  HostState,
  JournalPosition,
  JournalStretch,
  LeaseReply,
  LeaseRequest,
  Reclaimed,
  CommitReply,
  UrlState,
} from './frontier.ts';
import { deferredRecords, overBudget, suspectedTrapOf, withheldRecords } from './held-back.ts';
import { readPosition } from './journal-position.ts';
import type { FrontierState } from './frontier-state.ts';
import { readJournalText } from './journal-text.ts';
import { leaseVisits } from './lease-visits.ts';
import * as scripts from './scripts.ts';
import { foundUrlOf } from './sendable-links.ts';
import { visitAgain } from './visit-again.ts';

/** Lines per call of flush-deferred (arbitrary). */
const FLUSH_CHUNK = 500;
/** Time without an answer after which a host is offered for a look-up again: a look-up takes seconds at the most. */
const LOOK_UP_TERM: Milliseconds = seconds(30);

export class RedisFrontier implements Frontier {
  readonly #client: RedisClient;
  readonly #keys: { readonly meta: string };
  readonly #leader: FrontierState['leader'];
  readonly #state: FrontierState;

  constructor(state: FrontierState) {
    const { client, keys, leader } = state;
    this.#state = state;
    this.#client = client;
    this.#keys = keys;
    this.#leader = leader;
  }

  async admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): Promise<number> {
    const seeds = candidates.filter(({ kind }) => kind === 'seed');
    const probes = candidates.filter(({ kind }) => kind === 'probe');
    const others = candidates.filter(({ kind }) => kind !== 'seed' && kind !== 'probe');
    let added = 0;
    added += (await admitUrls(this.#state, seeds, 'yes', now)).length;
    added += (await admitUrls(this.#state, probes, 'probes', now)).length;
    return added + (await admitUrls(this.#state, [...others, ...skipped], 'no', now)).length;
  }

  async admitLinks(links: readonly CommittedLink[], now: EpochMs): Promise<ReadonlySet<string>> {
    const found = links.map(foundUrlOf).filter((each) => each !== null);
    return new Set(await admitUrls(this.#state, found, 'no', now));
  }

  async lease(request: LeaseRequest): Promise<LeaseReply> {
    return (await leaseVisits(this.#state, request)).reply;
  }

  begin(token: number, until: EpochMs): Promise<boolean> {
    return scripts.RENEW.run(this.#client, this.#keys, { token, deadline: until, begins: 'yes' });
  }

  renew(token: number, until: EpochMs): Promise<boolean> {
    return scripts.RENEW.run(this.#client, this.#keys, { token, deadline: until, begins: '' });
  }

  commit(visit: Visit, commit: VisitCommit, now: EpochMs): Promise<CommitReply> {
    const state = this.#state;
    return commitVisit(state, { visit, commit, elsewhere: NOTHING_ELSEWHERE }, now);
  }

  release(token: number, now: EpochMs, hostDue?: EpochMs): Promise<boolean> {
    return scripts.RELEASE.run(this.#client, this.#keys, { token, now, hostDue: hostDue ?? '' });
  }

  fold(visit: Visit, skipped: SkippedRecord, fold: string, now: EpochMs): Promise<boolean> {
    const args = {
      now,
      token: visit.token,
      fingerprint: fingerprintNumber(visit.url),
      pattern: urlShape(visit.url, 'program'),
      fold,
      record: JSON.stringify(skipped),
    };
    return scripts.FOLD.run(this.#client, this.#keys, args);
  }

  async unfold(fold: string, now: EpochMs): Promise<number> {
    let total = 0;
    for (;;) {
      const { back, left } = await this.#leader.unfold(this.#client, this.#keys, { now, fold, count: FLUSH_CHUNK });
      total += back;
      if (left === 0) return total;
    }
  }

  visitAgain(urls: readonly SecondVisit[], now: EpochMs): Promise<number> {
    return visitAgain(this.#state, urls, now);
  }

  async reap(now: EpochMs, hostDue: EpochMs): Promise<number> {
    const { taken } = await this.#leader.reap(this.#client, this.#keys, { now, hostDue, which: 'expired' });
    return taken;
  }

  async reclaim(before: 'died' | 'ended', now: EpochMs, hostDue: EpochMs): Promise<Reclaimed> {
    const which = before === 'died' ? 'died' : 'all';
    const { taken, suspects } = await this.#leader.reap(this.#client, this.#keys, { now, hostDue, which });
    return { taken, suspects: suspects.map(storedCanonicalUrl) };
  }

  async stopping(): Promise<void> {
    await this.#leader.stopping(this.#client, this.#keys, {});
  }

  async flushDeferred(now: EpochMs): Promise<number> {
    let total = 0;
    for (;;) {
      const { written, left } = await this.#leader.flushDeferred(this.#client, this.#keys, { now, count: FLUSH_CHUNK });
      total += written;
      if (left === 0) break;
    }
    for (;;) {
      const skipped = await this.#leader.flushWithheld(this.#client, this.#keys, { now, count: FLUSH_CHUNK });
      if (skipped === 0) return total;
      total += skipped;
    }
  }

  async skippedSoFar(rule: string): Promise<readonly SkippedRecord[]> {
    const found = new Map<string, SkippedRecord>();
    for await (const records of deferredRecords(this.#client, this.#heldKeys()))
      for (const record of records) if (record.rule === rule) found.set(record.url, record);
    return [...found.values()];
  }

  async *heldBack(): AsyncGenerator<HeldBack> {
    const keys = this.#heldKeys();
    for await (const records of deferredRecords(this.#client, keys)) yield { from: 'skipped', records };
    for await (const records of withheldRecords(this.#client, keys)) yield { from: 'queued', records };
  }

  async leasable(): Promise<number> {
    const [{ queued }, traps] = await Promise.all([this.totals(), overBudget(this.#client, this.#keys)]);
    return Math.max(0, queued - traps.reduce((sum, { size }) => sum + size, 0));
  }

  async suspectedTraps(): Promise<readonly SuspectedTrap[]> {
    const rows = await scripts.OVER_BUDGET.run(this.#client, this.#keys, {});
    return rows.map(suspectedTrapOf);
  }

  async openCircuits(): Promise<readonly GivenUpHost[]> {
    const rows = await scripts.OPEN_CIRCUITS.run(this.#client, this.#keys, {});
    return rows.map(([host, failures, queued]) => ({
      host: storedHostKey(replyText(host)),
      failures: wholeOf(failures),
      queued: wholeOf(queued),
      why: `${wholeOf(failures)} failures in a row`,
    }));
  }

  async awaitingDns(now: EpochMs, count: number): Promise<readonly HostKey[]> {
    const hosts = await this.#leader.awaitingDns(this.#client, this.#keys, { now, count, term: LOOK_UP_TERM });
    return hosts.map(storedHostKey);
  }

  async resolved(host: HostKey, answer: AddressAnswer, now: EpochMs): Promise<void> {
    const args = {
      now,
      host,
      kind: answer.kind,
      address: answer.kind === 'address' ? answer.address : '',
      nextTry: (answer.kind === 'failed' ? answer.nextTry : null) ?? '',
    };
    await scripts.RESOLVED.run(this.#client, this.#keys, args);
  }

  async outOf(tokens: readonly number[]): Promise<ReadonlySet<number>> {
    const leases = await this.#client.hmget(this.#name('leases'), ...tokens.map(String));
    return new Set(tokens.filter((_, index) => leases[index] !== null));
  }

  async countedPages(): Promise<number> {
    return (await scripts.TOTALS.run(this.#client, this.#keys, {})).counted;
  }

  async latest(): Promise<EpochMs> {
    return epochMs(await scripts.LATEST.run(this.#client, this.#keys, {}));
  }

  async totals(): Promise<FrontierTotals> {
    return (await scripts.TOTALS.run(this.#client, this.#keys, {})).totals;
  }

  async slowestHosts(count: number): Promise<readonly HostState[]> {
    const rows = await scripts.SLOWEST_HOSTS.run(this.#client, this.#keys, { count });
    return rows.map(([host, due, queued, leased, failures]) => ({
      host: storedHostKey(replyText(host)),
      due: epochMs(wholeOf(due)),
      queued: wholeOf(queued),
      leased: wholeOf(leased),
      failures: wholeOf(failures),
    }));
  }

  async stateOf(url: CanonicalUrl): Promise<UrlState> {
    const host = hostKeyOf(url);
    const args = {
      fingerprint: fingerprintNumber(url),
      host,
      path: url.slice(host.length),
      pattern: urlShape(url, 'program'),
    };
    const [kind, credit, attempt, due] = await scripts.URL_STATE.run(this.#client, this.#keys, args);
    if (kind === 'unknown' || kind === 'ended') return { kind };
    const figures = { credit: wholeOf(credit), attempt: wholeOf(attempt) };
    if (kind === 'leased') return { kind, ...figures };
    return { kind: 'queued', ...figures, due: kind === 'waiting' ? epochMs(wholeOf(due)) : null };
  }

  async seeds(): Promise<readonly CanonicalUrl[]> {
    const urls = await this.#client.zrange(this.#name('seeds'), '0', '-1');
    return urls.map(storedCanonicalUrl);
  }

  async journal(count: number): Promise<JournalStretch> {
    const { upTo, entries } = await this.#leader.journal(this.#client, this.#keys, { count });
    return { upTo, entries: entries.map((text) => readJournalText(text)) };
  }

  async unwritten(): Promise<readonly JournalEntry[]> {
    return (await this.journal(Number.MAX_SAFE_INTEGER)).entries;
  }

  async journalWritten(position: JournalPosition): Promise<void> {
    const args = { upTo: position.upTo, position: JSON.stringify(position) };
    if (await this.#leader.journalWritten(this.#client, this.#keys, args)) return;
    throw new RangeError(`the journal has no stretch that ends before entry ${position.upTo}`);
  }

  async journalPosition(): Promise<JournalPosition | null> {
    const text = await this.#client.hget(this.#keys.meta, 'position');
    return text === null ? null : readPosition(text);
  }

  audit(): Promise<number> {
    return scripts.AUDIT.run(this.#client, this.#keys, {});
  }

  #heldKeys(): Parameters<typeof deferredRecords>[1] {
    return { ...this.#keys, deferred: this.#name('deferred'), usedUp: this.#name('used-up') };
  }

  #name(name: string): string {
    return this.#keys.meta.slice(0, -'meta'.length) + name;
  }
}
