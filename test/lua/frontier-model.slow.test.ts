import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { epochMs, milliseconds, TOTAL_CREDIT } from '../../src/base/units.ts';
import type { AddressAnswer, Frontier } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { Candidate } from '../../src/model/candidate.ts';
import type { Disposition, CommittedLink } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';
import { candidate, link, pageRecord, seed, commit, skip, skippedLink, url } from '../support/frontier-nouns.ts';
import { MemoryFrontier } from '../support/memory-frontier.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const SEQUENCES = 200;
const STEPS = 25;
/** Few hosts and paths, so that URLs occur again in every state. */
const URLS = ['a', 'b', 'www.b', 'docs.b', 'c'].flatMap((host) =>
  ['', '1', '2', '3'].map((path) => `https://${host}.example/${path}`),
);

/** Enough links to one host to exhaust the speculative budget. */
const SPECULATIVE = Array.from({ length: 24 }, (_, index) => `https://a.example/guess/${index}`);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** The two frontiers, their leased visits, and a clock that mostly moves forward. */
class Pair {
  readonly #real: Frontier;
  readonly #model: MemoryFrontier;
  readonly #random: Random;
  readonly #visits: Visit[] = [];
  /** Processes that commit in turns: each knows only its own replies, not what the others did since. */
  readonly #processes: readonly Frontier[];
  #commits = 0;
  #time = 1_000_000;

  constructor([real, ...others]: readonly [Frontier, ...Frontier[]], model: MemoryFrontier, random: Random) {
    this.#real = real;
    this.#processes = [real, ...others];
    this.#model = model;
    this.#random = random;
  }

  async step(): Promise<void> {
    this.#time += this.#pick([-300, 0, 0, 1, 40, 150, 1000, 4000]);
    const admit = () => this.#admit();
    const lease = () => this.#lease();
    const settle = () => this.#settle();
    const give = () => this.#giveBack();
    const take = () => this.#takeBack();
    const tell = () => this.#tellAddresses();
    await this.#pick([admit, lease, lease, lease, settle, settle, settle, give, take, tell])();
    const totals = await this.#real.totals();
    expect(totals).toEqual(this.#model.totals());
    expect(totals.visited + totals.failed + totals.skipped + totals.queued + totals.leased).toBe(totals.discovered);
    expect(await this.#real.audit()).toBe(TOTAL_CREDIT);
    expect(this.#model.audit()).toBe(TOTAL_CREDIT);
  }

  async compareAll(): Promise<void> {
    for (const text of [...URLS, ...SPECULATIVE])
      expect(await this.#real.stateOf(url(text)), text).toEqual(this.#model.stateOf(url(text)));
    expect(await this.#real.flushDeferred(this.#now())).toBe(this.#model.flushDeferred());
    const { entries } = await this.#real.journal(1000);
    const lines = entries.flatMap((entry) => entry.skipped.map((record) => record.url));
    expect(lines.toSorted()).toEqual([...this.#model.skippedLines()].toSorted());
  }

  async #admit(): Promise<void> {
    const make = [seed, candidate, (text: string) => candidate(text, { depth: this.#below(4), hops: this.#below(3) })];
    const candidates = [...this.#some(3).map((text) => this.#pick(make)(text)), ...this.#speculativeLinks()];
    const skipped = this.#some(2).map((text) => skip(text, this.#pick(['depth', 'nofollow', 'duplicate', 'trap'])));
    const now = this.#now();
    expect(await this.#real.admit(candidates, skipped, now)).toBe(this.#model.admit(candidates, skipped, now));
  }

  async #lease(): Promise<void> {
    const request = {
      now: this.#now(),
      count: 1 + this.#below(3),
      leaseFor: milliseconds(this.#pick([100, 5000])),
      newHostDelay: milliseconds(this.#pick([0, 500])),
    };
    const reply = await this.#real.lease(request);
    expect(reply).toEqual(this.#model.lease(request));
    if (reply.kind === 'leased') this.#visits.push(...reply.visits);
  }

  /** Settles any earlier visit, so that many of them are fenced. */
  async #settle(): Promise<void> {
    const visit = this.#someVisit();
    if (visit === undefined) return;
    const links = this.#some(5).map((text): CommittedLink => {
      const reason = this.#pick(['depth', 'nofollow', 'duplicate', 'out-of-scope', null, null, null] as const);
      return reason === null
        ? link(visit, text, { depth: this.#below(4), hops: this.#below(3) })
        : skippedLink(visit, text, reason);
    });
    const ending = this.#ending(visit);
    const isRedirect = ending.kind === 'visited' && ending.record.outcome === 'redirected';
    if (isRedirect)
      links.splice(0, Infinity, link(visit, this.#pick([...URLS, ...SPECULATIVE]), { confidence: visit.confidence }));
    else links.push(...this.#speculativeLinks().map((speculative) => link(visit, speculative.url, speculative)));
    const given = {
      hostDelay: milliseconds(this.#pick([0, 100, 1000])),
      hostSlots: 1 + this.#below(3),
      hostBackoff: this.#pick([null, null, null, milliseconds(3000)]),
      ...(this.#random() < 0.25 ? { unasked: true as const } : {}),
      ...(this.#random() < 0.25 ? { hostThrottled: true as const } : {}),
      ...(this.#random() < 0.25 ? { failsAgain: true as const } : {}),
    };
    const settled = commit(ending, links, given);
    const now = this.#now();
    const committing = this.#processes[(this.#commits += 1) % this.#processes.length] ?? this.#real;
    expect(await committing.commit(visit, settled, now)).toEqual(this.#model.settle(visit, settled, now));
  }

  async #giveBack(): Promise<void> {
    const token = this.#someVisit()?.token ?? 1;
    const now = this.#now();
    const hostDue = this.#random() < 0.5 ? undefined : epochMs(now + Math.floor(this.#random() * 3000));
    if (this.#random() < 0.5)
      expect(await this.#real.release(token, now, hostDue)).toBe(this.#model.release(token, now, hostDue));
    const until = epochMs(now + 2000);
    expect(await this.#real.renew(token, until)).toBe(this.#model.renew(token, until));
    if (this.#random() < 0.5) expect(await this.#real.begin(token, until)).toBe(this.#model.begin(token, until));
  }

  async #takeBack(): Promise<void> {
    const [now, due] = [this.#now(), epochMs(this.#time + 200)];
    expect(await this.#real.reap(now, due)).toBe(this.#model.reap(now, due));
    if (this.#random() < 0.1) {
      await this.#real.stopping();
      this.#model.stopping();
    }
    const before = this.#pick(['died', 'died', 'ended'] as const);
    if (this.#random() < 0.4)
      expect(await this.#real.reclaim(before, now, due)).toEqual(this.#model.reclaim(before, now, due));
  }

  /** Answers DNS look-ups with few addresses, so that hosts share them. */
  async #tellAddresses(): Promise<void> {
    const [now, count] = [this.#now(), 1 + this.#below(4)];
    const hosts = await this.#real.awaitingDns(now, count);
    expect(hosts).toEqual(this.#model.awaitingDns(now, count));
    for (const host of hosts) {
      const answer = this.#pick<AddressAnswer>([
        { kind: 'address', address: '192.0.2.1' },
        { kind: 'address', address: '192.0.2.1' },
        { kind: 'address', address: '192.0.2.2' },
        { kind: 'no-address' },
        { kind: 'failed', nextTry: null },
        { kind: 'failed', nextTry: epochMs(this.#time + 500) },
      ]);
      await this.#real.resolved(host, answer, now);
      this.#model.resolved(host, answer, now);
    }
  }

  #ending(visit: Visit): Disposition {
    const digest = this.#pick([null, 'sha256:aa', 'sha256:bb', 'sha256:cc', `sha256:${visit.token}`]);
    const record = { ...pageRecord(visit.url), digest };
    return this.#pick<Disposition>([
      { kind: 'visited', record },
      { kind: 'visited', record },
      { kind: 'visited', record: { ...record, outcome: 'redirected' } },
      { kind: 'failed', record },
      { kind: 'skipped', record: skip(visit.url, 'disallowed-by-robots') },
      { kind: 'retry', due: epochMs(this.#time + this.#pick([0, 700])) },
    ]);
  }

  /** Speculative links in two of five steps, and now and then a link to what was only speculative so far. */
  #speculativeLinks(): readonly Candidate[] {
    if (this.#random() < 0.6) return [];
    const confidence = this.#pick(['low', 'low', 'low', 'high'] as const);
    const texts = Array.from({ length: this.#below(12) }, () => this.#pick([...SPECULATIVE, ...SPECULATIVE, ...URLS]));
    return texts.map((text) => candidate(text, { depth: this.#below(4), confidence }));
  }

  #now() {
    return epochMs(this.#time);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<Value>(values: readonly Value[]): Value {
    const value = values[this.#below(values.length)];
    if (value === undefined) throw new RangeError('nothing to pick from');
    return value;
  }

  #some(most: number): readonly string[] {
    return Array.from({ length: this.#below(most + 1) }, () => this.#pick(URLS));
  }

  #someVisit(): Visit | undefined {
    return this.#visits.length === 0 ? undefined : this.#pick(this.#visits.slice(-6));
  }
}

test(
  'the frontier in Redis answers like the one in memory, whatever is done to both',
  { timeout: 180_000 },
  async () => {
    for (let number = 1; number <= SEQUENCES; number += 1) {
      const addresses = number % 2 === 0 ? 'awaited' : 'unused';
      const [keys, { client }] = [redis.keys(), redis];
      const real = await openFrontier({ client, keys, state: 'new', addresses });
      const other = await openFrontier({ client, keys, state: 'shared' });
      const pair = new Pair(
        number % 3 === 0 ? [real] : [real, other],
        new MemoryFrontier(addresses),
        seededRandom(number),
      );
      try {
        for (let step = 0; step < STEPS; step += 1) await pair.step();
        await pair.compareAll();
      } catch (error) {
        throw new Error(`sequence ${number} of the seeded generator`, { cause: error });
      }
    }
  },
);
