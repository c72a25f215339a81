/**
 * The frontier in memory: the readable specification for comparison with the one in Redis. No packing, no indexes, no
 * journal position; every rule once, in the plainest way.
 */
import { epochMs, TOTAL_CREDIT, type EpochMs } from '../../src/base/units.ts';
import type {
  AddressAnswer,
  FrontierTotals,
  LeaseReply,
  LeaseRequest,
  Reclaimed,
  CommitReply,
  UrlState,
} from '../../src/frontier/frontier.ts';
import { distinct, groupUrls, type DiscoveredUrl } from '../../src/frontier/url-groups.ts';
import type { Candidate } from '../../src/model/candidate.ts';
import type { SkippedRecord } from '../../src/model/record.ts';
import type { CanonicalUrl } from '../../src/model/url/canonical-url.ts';
import { hostKeyOf, registrableDomainOf, type HostKey } from '../../src/model/url/host-key.ts';
import { urlShape } from '../../src/model/url/url-shape.ts';
import type { Disposition, VisitCommit } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';

interface Queue {
  /** 0 is the host's common queue, in which each pattern has a share. */
  readonly number: number;
  /** The undivided remainder of the payments to its pages. */
  remainder: number;
}

interface Domain {
  remainder: number;
  /** Hosts that wait for a place, longest first. */
  readonly throttled: HostKey[];
}

/** The time when a visit last began on an address, and the next time that is not booked. */
interface AddressLine {
  last: number;
  free: number;
}

interface Pending {
  facts: Candidate;
  readonly queue: Queue;
  /** Speculative links have no credit and are paid nothing. */
  credit: number;
  /** Credit that came since the host last collected dividends: the host's order does not reflect it yet. */
  unseen: number;
  attempts: number;
  /** How often the program ended during its visit. */
  deaths: number;
  /** Has a worker begun its visit? */
  begun: boolean;
  /** Set while it waits for a retry. */
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
  learnedDelay: number;
  slots: number;
  failures: number;
  failedAt: number;
  /** Pause caused by failures (ms): halved with each success. */
  pause: number;
  /** The time until which its circuit is open. */
  circuitOpenUntil: number;
  isThrottled: boolean;
  /** The time of its next DNS look-up; null unless the host waits for its address and has something to visit. */
  lookUp: number | null;
  awaitsDns: boolean;
  address: string | null;
  /** The number of speculative links that may be pending at a time. */
  speculativeBudget: number;
  /** Speculative links that wait for a place, in order of arrival. */
  readonly deferredSpeculative: Candidate[];
  /** Texts of the answers to speculative links. */
  readonly answers: Set<string>;
  /** The number of pages that each pattern has had in the common queue. */
  readonly patterns: Map<string, number>;
  readonly common: Queue;
  readonly patternQueues: Map<string, Queue>;
}

type Known = Pending | 'visited' | 'failed' | 'skipped' | 'deferred';

const FIRST_SPECULATIVE_BUDGET = 8;
const MOST_SPECULATIVE_BUDGET = 64;
const DEFERRED_LIMIT = 10_000;
/** Pages of a pattern in the common queue. */
const FIRST_PAGES = 16;
/** Every 16th lease goes to the host that has been due longest. */
const FAIR = 16;
/** Lambda pays when it has received this much, or after that many commits. */
const DIVIDEND_AT = TOTAL_CREDIT / 2;
const DIVIDEND_COMMITS = 1000;
/** The weight of an ended target relative to a waiting one. */
const ENDED_PART = 1 / 16;
/** Milliseconds between the beginnings of two visits on one address, unless their hosts allow less. */
const ADDRESS_SPACING = 1000;
/** Visits of a domain at a time, or as many as one of its hosts may have. */
const DOMAIN_SLOTS = 2;
/** Hosts that a call may find at a closed gate before it gives up for now. */
const MOST_REFUSALS = 100;
/** How soon a host may be due during its DNS look-up, and when the look-up is offered again (ms). */
const LOOK_UP = 50;
const LOOK_UP_TERM = 30_000;
/** Consecutive failures that open a host's circuit, its duration (ms), and the shortest pause that counts (ms). */
const CIRCUIT_FAILURES = 5;
const CIRCUIT_OPEN_FOR = 6 * 3_600_000;
const LEAST_PAUSE = 1000;
/** Delays learned from refusals (ms), see frontier/lua/includes/health.lua. */
const [FIRST_LEARNED, LEAST_LEARNED, MOST_LEARNED] = [250, 100, 2000];
/** Time from when a host is due in which other URLs come before those that failed (ms). */
const OTHERS_FIRST = 10_000;
/** How soon to ask again while a visit runs alone, or waits to run alone (ms). */
const ALONE = 1000;

export class MemoryFrontier {
  readonly #urls = new Map<string, Known>();
  readonly #hosts = new Map<HostKey, Host>();
  readonly #domains = new Map<string, Domain>();
  readonly #journal: string[] = [];
  /** Pages during whose visit the program ended; they wait to be visited alone, in order of arrival. */
  #suspects: readonly Pending[] = [];
  /** Is one of them being visited? */
  #alone = false;
  #lambda: number = TOTAL_CREDIT;
  /** Credit that lambda has received since it last paid, and the commits since then. */
  #received = 0;
  #commits = 0;
  #clock = 0;
  /** The time of the last lease: work due by then is ready. */
  #promoted = 0;
  #tokens = 0;
  readonly #addresses: 'awaited' | 'unused';
  readonly #lines = new Map<string, AddressLine>();

  constructor(addresses: 'awaited' | 'unused' = 'unused') {
    this.#addresses = addresses;
  }

  admit(candidates: readonly Candidate[], skipped: readonly SkippedRecord[], now: EpochMs): number {
    if (candidates.length + skipped.length > 0) this.#advance(now);
    const [seeds, others] = [seedsOf(candidates, true), seedsOf(candidates, false)];
    const told = [groupUrls(distinct(seeds)).order, groupUrls(distinct([...others, ...skipped])).order];
    return told.reduce((sum, foundLinks) => sum + this.#admitAll(foundLinks), 0);
  }

  #admitAll(foundLinks: readonly DiscoveredUrl[]): number {
    const { links, speculativeLinks, records } = parted(foundLinks);
    const seeds = links.filter(({ kind, url }) => kind === 'seed' && this.#unseen(url));
    const share = seeds.length === 0 ? 0 : Math.floor(this.#lambda / 2 / seeds.length);
    const added = links.map((candidate) => this.#admit(candidate, this.#unseen(candidate.url) ? share : 0));
    const refused = records.map((record) => this.#skip(record));
    const guessed = speculativeLinks.map((speculative) => this.#speculative(speculative));
    this.#takeUp();
    return [...added, ...refused, ...guessed].filter(Boolean).length;
  }

  /** @param asIn entries of this reply come first among those of equal priority, whose order is not specified */
  lease(request: LeaseRequest, asIn?: LeaseReply): LeaseReply {
    const given = new Set(asIn?.kind === 'leased' ? asIn.visits.map(({ url }) => url) : []);
    this.#advance(request.now);
    this.#payDividend();
    this.#promoted = this.#clock;
    this.#wake();
    const suspect = this.#alone ? 'others' : this.#nextSuspect(request.newHostDelay);
    if (suspect === 'others') return { kind: 'nothing-due', nextDue: epochMs(this.#clock + ALONE) };
    if (suspect !== null) {
      this.#suspects = this.#suspects.filter((it) => it !== suspect);
      this.#alone = true;
      return { kind: 'leased', visits: [this.#leaseOut(suspect, request)] };
    }
    const visits: Visit[] = [];
    while (visits.length < request.count) {
      const head = this.#nextThatPasses(given, request.newHostDelay);
      if (head === undefined) break;
      visits.push(this.#leaseOut(head, request));
    }
    if (visits.length > 0) return { kind: 'leased', visits };
    const retries = this.#pending().flatMap((it) => it.retry ?? []);
    const dues = [...this.#hostsWithWork().map(([, host]) => host.due), ...this.#suspectDues()];
    if ([...this.#hosts.values()].some(({ lookUp }) => lookUp !== null)) dues.push(this.#clock + LOOK_UP);
    const isAnyCircuitOpen = [...this.#hosts].some(
      ([key, { circuitOpenUntil }]) =>
        circuitOpenUntil > this.#clock && this.#pending().some(({ facts }) => hostKeyOf(facts.url) === key),
    );
    if (retries.length + dues.length === 0) return { kind: isAnyCircuitOpen ? 'circuits-open' : 'nothing-queued' };
    return { kind: 'nothing-due', nextDue: epochMs(Math.min(...retries, ...dues)) };
  }

  begin(token: number, until: EpochMs): boolean {
    const pending = this.#leased(token);
    if (pending !== undefined) pending.begun = true;
    return this.renew(token, until);
  }

  renew(token: number, until: EpochMs): boolean {
    const pending = this.#leased(token);
    if (pending === undefined) return false;
    pending.deadline = until;
    return true;
  }

  settle(visit: Visit, { disposition: ending, links, ...given }: VisitCommit, now: EpochMs): CommitReply {
    const pending = this.#leased(visit.token);
    if (pending === undefined) return { kind: 'fenced' };
    this.#advance(now);
    const host = this.#host(visit.host);
    [pending.token, this.#alone] = [null, false];
    this.#freePlace(visit.host);
    this.#slowDown(host, pending, given);
    host.slots = given.hostSlots;
    if (given.unasked === true) this.#freeAddress(host, pending.leasedAt);
    const due =
      given.unasked === true ? 0 : this.#clock + Math.max(host.delay ?? 0, this.#restOf(host, pending, given));
    this.#postpone(visit.host, due);
    this.#commits += 1;
    this.#collect(visit.host);
    if (ending.kind === 'retry') {
      pending.retry = ending.due <= this.#promoted ? null : ending.due;
      if (pending.retry === null) this.#enqueue(pending);
    } else {
      this.#urls.set(visit.url, ending.kind);
      this.#forfeit(visit.host, pending);
    }
    // the speculative link frees its place before its links are considered; they find its budget updated
    const isSpeculative = pending.facts.confidence === 'low';
    if (isSpeculative) this.#prove(host, ending);

    const told = links.flatMap(({ target }): readonly DiscoveredUrl[] => {
      if (target.kind === 'subresource') return [];
      return [target.kind === 'candidate' ? target.candidate : target.record];
    });
    const { links: accepted, speculativeLinks, records } = parted(groupUrls(distinct(told)).order);

    const share = ending.kind === 'visited' ? this.#linkShare(pending.credit, accepted) : 0;
    const before = this.#lambda;
    if (ending.kind !== 'retry') this.#lambda += pending.credit;
    if (ending.kind === 'skipped') this.#journal.push(ending.record.url);
    const added = accepted.map((candidate) => this.#admit(candidate, share));
    this.#received += this.#lambda - before;
    const refused = records.map((record) => this.#skip(record));
    const guessed = speculativeLinks.map((speculative) => this.#speculative(speculative));
    const redirected = ending.kind === 'visited' && ending.record.outcome === 'redirected';
    if (isSpeculative && redirected && !guessed.includes(true)) host.speculativeBudget -= 1;
    this.#takeUp();
    return { kind: 'committed', newLinks: [...added, ...refused, ...guessed].filter(Boolean).length };
  }

  release(token: number, now: EpochMs, hostDue = 0): boolean {
    const pending = this.#leased(token);
    if (pending === undefined) return false;
    this.#advance(now);
    this.#takeBack(pending, hostDue);
    return true;
  }

  reap(now: EpochMs, hostDue: EpochMs): number {
    this.#advance(now);
    const late = this.#pending().filter((it) => it.token !== null && (it.deadline ?? 0) <= this.#clock);
    for (const pending of late.toSorted(byToken)) this.#takeBack(pending, hostDue);
    return late.length;
  }

  reclaim(before: 'died' | 'ended', now: EpochMs, hostDue: EpochMs): Reclaimed {
    this.#advance(now);
    const out = this.#pending().filter((it) => it.token !== null);
    const suspects = before === 'died' ? out.filter((it) => it.begun).toSorted(byToken) : [];
    for (const pending of suspects) pending.deaths += 1;
    for (const pending of out.toSorted(byToken)) this.#takeBack(pending, hostDue);
    return { taken: out.length, suspects: suspects.map(({ facts }) => facts.url) };
  }

  stopping(): void {
    for (const it of this.#pending()) it.begun = false;
  }

  awaitingDns(now: EpochMs, count: number): readonly HostKey[] {
    this.#advance(now);
    const waiting = [...this.#hosts].flatMap(([key, { lookUp }]) => (lookUp === null ? [] : [{ key, lookUp }]));
    const due = waiting.filter(({ lookUp }) => lookUp <= this.#clock);
    const told = due.toSorted((a, b) => a.lookUp - b.lookUp || compare(a.key, b.key)).slice(0, count);
    for (const { key } of told) this.#host(key).lookUp = this.#clock + LOOK_UP_TERM;
    return told.map(({ key }) => key);
  }

  resolved(key: HostKey, answer: AddressAnswer, now: EpochMs): void {
    const host = this.#host(key);
    if (host.lookUp === null) return;
    this.#advance(now);
    if (answer.kind === 'failed' && answer.nextTry !== null) host.lookUp = answer.nextTry;
    else {
      [host.lookUp, host.awaitsDns] = [null, false];
      host.address = answer.kind === 'address' ? answer.address : null;
      this.#postpone(key, 0);
    }
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
      withheld: 0,
      queuedAgain: 0,
      leasedAgain: 0,
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
    const remainders = [...this.#domains.values(), ...new Set(this.#pending().map(({ queue }) => queue))];
    const inRemainders = remainders.reduce((sum, { remainder }) => sum + remainder, this.#lambda);
    return this.#pending().reduce((sum, it) => sum + it.credit, inRemainders);
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
      learnedDelay: 0,
      slots: 1,
      failures: 0,
      failedAt: 0,
      pause: 0,
      circuitOpenUntil: 0,
      isThrottled: false,
      lookUp: null,
      awaitsDns: this.#addresses === 'awaited',
      address: null,
      speculativeBudget: FIRST_SPECULATIVE_BUDGET,
      deferredSpeculative: [],
      answers: new Set(),
      patterns: new Map(),
      common: { number: 0, remainder: 0 },
      patternQueues: new Map(),
    };
    this.#hosts.set(key, host);
    return host;
  }

  /** Sets the delay of a host, which a refusal at full speed doubles. */
  #slowDown(host: Host, { leasedAt }: Pending, given: Pick<VisitCommit, 'hostDelay' | 'hostThrottled'>): void {
    const isFullSpeed = leasedAt >= host.failedAt && host.failures === 0 && host.pause === 0;
    if (given.hostThrottled === true && isFullSpeed)
      host.learnedDelay = Math.min(Math.max(FIRST_LEARNED, 2 * (host.delay ?? 0)), MOST_LEARNED);
    host.delay = Math.max(given.hostDelay, host.learnedDelay);
  }

  /** The pause of a host after a visit. */
  #restOf(
    host: Host,
    { leasedAt }: Pending,
    given: Pick<VisitCommit, 'hostBackoff' | 'hostBackoffMost' | 'failsAgain'>,
  ): number {
    const { hostBackoff: wait, hostBackoffMost: most } = given;
    if (wait !== null && given.failsAgain === true && most !== null && host.failures === 0) return host.pause;
    if (wait === null) {
      const left = Math.floor((host.learnedDelay * 127) / 128);
      if (host.pause === 0) host.learnedDelay = left < LEAST_LEARNED ? 0 : left;
      const half = Math.floor(host.pause / 2);
      [host.failures, host.pause] = [0, half < LEAST_PAUSE ? 0 : half];
      return host.pause;
    }
    if (leasedAt < host.failedAt) return Math.max(wait, most === null ? 0 : host.pause);
    const grown = most === null ? wait : Math.min(most, wait * 2 ** host.failures);
    [host.failures, host.failedAt] = [host.failures + 1, this.#clock];
    if (most !== null) host.pause = grown;
    if (host.failures < CIRCUIT_FAILURES) return grown;
    const rest = Math.max(grown, CIRCUIT_OPEN_FOR);
    [host.circuitOpenUntil, host.isThrottled] = [this.#clock + rest, false];
    return rest;
  }

  #out(key: HostKey): number {
    return this.#pending().filter((it) => it.token !== null && hostKeyOf(it.facts.url) === key).length;
  }

  /** A requested pause stays; the pessimistic time of a lease counts only while a lease is out. */
  #postpone(key: HostKey, due: number): void {
    const host = this.#host(key);
    host.floor = Math.max(host.floor, due);
    host.due = Math.max(host.floor, this.#out(key) === 0 ? this.#clock : host.due);
  }

  /** Highest priority first, equal ones in the order of their queues and paths; speculative links last. */
  #queued(key: HostKey, given: ReadonlySet<CanonicalUrl> = new Set()): Pending[] {
    const queued = this.#pending().filter((it) => it.token === null && it.retry === null && it.deaths === 0);
    const own = queued.filter((it) => hostKeyOf(it.facts.url) === key);
    return own.toSorted(
      (a, b) =>
        priorityOf(b) - priorityOf(a) ||
        Number(given.has(b.facts.url)) - Number(given.has(a.facts.url)) ||
        compare(String(a.queue.number), String(b.queue.number)) ||
        compare(a.facts.url, b.facts.url),
    );
  }

  /** Wakes pages whose retry is due. */
  #wake(): void {
    const member = ({ queue, facts }: Pending): string => `r${queue.number} ${facts.url}`;
    const due = this.#pending().filter((it) => it.retry !== null && it.retry <= this.#clock);
    for (const it of due.toSorted((a, b) => (a.retry ?? 0) - (b.retry ?? 0) || compare(member(a), member(b)))) {
      it.retry = this.#heldUntil(hostKeyOf(it.facts.url));
      if (it.retry === null) this.#enqueue(it);
    }
  }

  /** URLs that failed wait for others of a host that failed, for a while. */
  #heldUntil(key: HostKey): EpochMs | null {
    const { failures, due, circuitOpenUntil } = this.#host(key);
    const until = epochMs(due + OTHERS_FIRST);
    const holds = failures > 0 && circuitOpenUntil <= this.#clock && this.#queued(key).length > 0;
    return holds && until > this.#clock ? until : null;
  }

  #enqueue(pending: Pending): void {
    if (pending.deaths > 0) this.#suspects = [...this.#suspects, pending];
  }

  /** The first suspect whose host may be visited; `others` if it waits for other visits to end. */
  #nextSuspect(newHostDelay: number): Pending | 'others' | null {
    for (const it of this.#suspects) {
      const host = this.#host(hostKeyOf(it.facts.url));
      if (host.awaitsDns || host.circuitOpenUntil > this.#clock || host.due > this.#clock) continue;
      if (this.#pending().some(({ token }) => token !== null)) return 'others';
      if (this.#passesAddress(host, host.delay ?? newHostDelay)) return it;
    }
    return null;
  }

  #suspectDues(): readonly number[] {
    const hosts = this.#suspects.map(({ facts }) => this.#host(hostKeyOf(facts.url)));
    return hosts
      .filter(({ awaitsDns, circuitOpenUntil }) => !awaitsDns && circuitOpenUntil <= this.#clock)
      .map(({ due }) => due);
  }

  #hostsWithWork(): readonly [HostKey, Host][] {
    return [...this.#hosts].filter(
      ([key, host]) =>
        host.circuitOpenUntil <= this.#clock &&
        !host.isThrottled &&
        !host.awaitsDns &&
        this.#queued(key).length > 0 &&
        this.#out(key) < host.slots,
    );
  }

  /** A host at a closed gate is throttled, or due later; then the next host is tried. */
  #nextThatPasses(given: ReadonlySet<CanonicalUrl>, newHostDelay: number): Pending | undefined {
    for (let refusals = 0; refusals < MOST_REFUSALS; refusals += 1) {
      const head = this.#next(given);
      if (head === undefined) return undefined;
      const key = hostKeyOf(head.facts.url);
      const host = this.#host(key);
      if (this.#passesDomain(key, host) && this.#passesAddress(host, host.delay ?? newHostDelay)) return head;
    }
    return undefined;
  }

  #passesDomain(key: HostKey, host: Host): boolean {
    const name = registrableDomainOf(key);
    const out = this.#pending().filter((it) => it.token !== null && registrableDomainOf(it.facts.url) === name);
    if (out.length < Math.max(DOMAIN_SLOTS, host.slots)) return true;
    host.isThrottled = true;
    this.#domain(name).throttled.push(key);
    return false;
  }

  #passesAddress(host: Host, delay: number): boolean {
    const spacing = Math.min(ADDRESS_SPACING, delay);
    if (host.address === null || spacing === 0) return true;
    const line = this.#lines.get(host.address) ?? { last: 0, free: 0 };
    this.#lines.set(host.address, line);
    if (line.last + spacing <= this.#clock) {
      line.last = this.#clock;
      line.free = Math.max(line.free, this.#clock + spacing);
      return true;
    }
    host.due = Math.max(line.free, line.last + spacing);
    host.floor = Math.max(host.floor, host.due);
    line.free = host.due + spacing;
    return false;
  }

  /** A visit that asked nothing of the host gives back its time on the address, unless another has begun there since. */
  #freeAddress({ address, delay }: Host, leasedAt: EpochMs): void {
    const line = address === null ? undefined : this.#lines.get(address);
    if (line?.last === leasedAt) line.last -= Math.min(ADDRESS_SPACING, delay ?? 0);
  }

  /** A lease of the host's domain has ended: the next throttled host with a closed circuit may be leased. */
  #freePlace(key: HostKey): void {
    const { throttled } = this.#domain(registrableDomainOf(key));
    for (let next = throttled.shift(); next !== undefined; next = throttled.shift()) {
      const host = this.#host(next);
      if (!host.isThrottled) continue;
      host.isThrottled = false;
      if (this.#queued(next).length > 0) return;
    }
  }

  #domain(name: string): Domain {
    const domain = this.#domains.get(name) ?? { remainder: 0, throttled: [] };
    this.#domains.set(name, domain);
    return domain;
  }

  /** Takes the due host with the highest priority, or every 16th time the one that has been due longest. */
  #next(given: ReadonlySet<CanonicalUrl>): Pending | undefined {
    const due = this.#hostsWithWork().filter(([, host]) => host.due <= this.#clock);
    const byName = due.toSorted(([a], [b]) => compare(a, b));
    const isFair = (this.#tokens + 1) % FAIR === 0;
    const [longest] = byName.toSorted(([, a], [, b]) => a.due - b.due);
    if (isFair && longest !== undefined) return this.#queued(longest[0], given)[0];
    const heads = byName.flatMap(([key]) => this.#queued(key, given)[0] ?? []);
    return heads.toSorted((a, b) => priorityOf(b) - priorityOf(a))[0];
  }

  #linkShare(cash: number, targets: readonly Candidate[]): number {
    const waiting = targets.filter(({ url }) => this.#unseen(url) || typeof this.#urls.get(url) === 'object').length;
    const parts = waiting + (targets.length - waiting) * ENDED_PART;
    return waiting === 0 ? 0 : Math.floor((cash - Math.floor(cash / 10)) / parts);
  }

  /** Lambda pays domains, domains pay queues, queues pay pages; each keeps its undivided remainder. */
  #payDividend(): void {
    const paid = [...this.#domains].filter(([name]) => this.#members(name).length > 0);
    if (paid.length === 0 || (this.#received < DIVIDEND_AT && this.#commits < DIVIDEND_COMMITS)) return;
    const share = Math.floor(this.#lambda / paid.length);
    this.#lambda -= share * paid.length;
    [this.#received, this.#commits] = [0, 0];
    for (const [name, domain] of paid) this.#payQueues(this.#members(name), domain, share);
  }

  #payQueues(members: readonly Pending[], domain: Domain, share: number): void {
    const queues = [...new Set(members.map(({ queue }) => queue))].map((queue) => {
      const own = members.filter((it) => it.queue === queue);
      return { queue, own, weight: this.#weight(own) };
    });
    const count = queues.reduce((sum, { weight }) => sum + weight, 0);
    const each = Math.floor((domain.remainder + share) / count);
    domain.remainder += share - each * count;
    for (const { queue, own, weight } of queues) {
      const got = each * weight;
      const part = Math.floor((queue.remainder + got) / own.length);
      queue.remainder += got - part * own.length;
      payEach(own, part);
    }
  }

  /** The common queue of a host weighs as many shares as it has patterns without a queue of their own. */
  #weight([first, ...others]: readonly Pending[]): number {
    if (first === undefined || first.queue.number > 0) return 1;
    const host = this.#host(hostKeyOf(first.facts.url));
    return Math.min(1 + others.length, Math.max(1, host.patterns.size - host.patternQueues.size));
  }

  /** Pending pages of a domain that take part in credit. */
  #members(domain: string): Pending[] {
    return this.#pending().filter(
      ({ facts }) => facts.confidence === 'high' && registrableDomainOf(facts.url) === domain,
    );
  }

  /** Gives the remainder that an ended page leaves behind to lambda. */
  #forfeit(host: HostKey, { queue, facts }: Pending): void {
    if (facts.confidence === 'low') return;
    const name = registrableDomainOf(host);
    const domain = this.#domains.get(name);
    const members = this.#members(name);
    if (domain === undefined) return;
    const left = [
      ...(members.some((it) => it.queue === queue) ? [] : [queue]),
      ...(members.length > 0 ? [] : [domain]),
    ];
    for (const account of left) {
      this.#lambda += account.remainder;
      this.#received += account.remainder;
      account.remainder = 0;
    }
  }

  #collect(key: HostKey): void {
    for (const it of this.#pending()) if (hostKeyOf(it.facts.url) === key) it.unseen = 0;
  }

  #queueFor(url: CanonicalUrl): Queue {
    const host = this.#host(hostKeyOf(url));
    const pattern = urlShape(url, 'program');
    const own = host.patternQueues.get(pattern);
    const had = host.patterns.get(pattern) ?? 0;
    if (own !== undefined) return own;
    if (had === 0 || had === FIRST_PAGES) this.#collect(hostKeyOf(url));
    if (had < FIRST_PAGES) {
      host.patterns.set(pattern, had + 1);
      return host.common;
    }
    const queue = { number: host.patternQueues.size + 1, remainder: 0 };
    host.patternQueues.set(pattern, queue);
    return queue;
  }

  #leaseOut(pending: Pending, request: LeaseRequest): Visit {
    const key = hostKeyOf(pending.facts.url);
    const host = this.#host(key);
    const leasedAt = epochMs(this.#clock);
    const leasedUntil = epochMs(leasedAt + request.leaseFor);
    pending.attempts += 1;
    pending.token = this.#tokens += 1;
    [pending.leasedAt, pending.deadline, pending.begun] = [leasedAt, leasedUntil, false];
    host.due = Math.max(host.floor, leasedAt + (host.delay ?? request.newHostDelay));
    const { attempts: attempt, deaths, token } = pending;
    const firstOfHost = host.delay === null;
    return { ...pending.facts, host: key, attempt, deaths, firstOfHost, token, leasedAt, leasedUntil };
  }

  #takeBack(pending: Pending, hostDue: number): void {
    [pending.token, this.#alone] = [null, false];
    this.#freePlace(hostKeyOf(pending.facts.url));
    pending.attempts -= 1;
    this.#enqueue(pending);
    const { delay } = this.#host(hostKeyOf(pending.facts.url));
    const own = hostDue === 0 || delay === null ? 0 : this.#clock + delay;
    this.#postpone(hostKeyOf(pending.facts.url), Math.max(hostDue, own));
  }

  #admit(facts: Candidate, credit: number): boolean {
    const known = this.#urls.get(facts.url);
    const domain = registrableDomainOf(facts.url);
    this.#domain(domain);
    if (facts.confidence === 'high') this.#collect(hostKeyOf(facts.url));
    if (known === undefined || known === 'deferred') {
      const queue = this.#queueFor(facts.url);
      const host = this.#host(hostKeyOf(facts.url));
      if (host.awaitsDns) host.lookUp ??= this.#clock;
      const [leasedAt, away] = [epochMs(0), { retry: null, token: null, deadline: null }];
      const fresh = { deaths: 0, begun: false };
      this.#urls.set(facts.url, { facts, queue, credit, unseen: 0, attempts: 0, ...fresh, ...away, leasedAt });
      this.#lambda -= credit;
      return known === undefined;
    }
    if (typeof known === 'string') return false;
    const better = known.facts.confidence === 'low' || facts.depth < known.facts.depth ? facts : known.facts;
    const [depth, hops] = [Math.min(facts.depth, known.facts.depth), Math.min(facts.hops, known.facts.hops)];
    known.facts = { ...better, depth, hops };
    known.credit += credit;
    this.#lambda -= credit;
    return false;
  }

  /** A speculative link changes no known URL; without a place it is skipped for now. */
  #speculative(facts: Candidate): boolean {
    if (this.#urls.has(facts.url)) return false;
    const { deferredSpeculative } = this.#host(hostKeyOf(facts.url));
    if (this.#hasPlace(facts)) return this.#admit(facts, 0);
    this.#urls.set(facts.url, 'deferred');
    if (deferredSpeculative.length < DEFERRED_LIMIT) deferredSpeculative.push(facts);
    return true;
  }

  #takeUp(): void {
    for (const { deferredSpeculative } of this.#hosts.values()) {
      while (deferredSpeculative[0] !== undefined && this.#hasPlace(deferredSpeculative[0])) {
        const [facts] = deferredSpeculative.splice(0, 1);
        if (facts !== undefined && this.#urls.get(facts.url) === 'deferred') this.#admit(facts, 0);
      }
    }
  }

  #hasPlace({ url }: Candidate): boolean {
    const key = hostKeyOf(url);
    const speculativeLinks = this.#pending().filter(
      ({ facts }) => facts.confidence === 'low' && hostKeyOf(facts.url) === key,
    );
    return speculativeLinks.length < this.#host(key).speculativeBudget;
  }

  #prove(host: Host, ending: Disposition): void {
    const wrong = (): void => void (host.speculativeBudget -= 1);
    if (ending.kind === 'failed') wrong();
    if (ending.kind !== 'visited' || ending.record.outcome === 'redirected') return;
    const { digest } = ending.record;
    if (digest !== null && host.answers.has(digest)) wrong();
    else host.speculativeBudget = Math.min(MOST_SPECULATIVE_BUDGET, host.speculativeBudget + 1);
    if (digest !== null) host.answers.add(digest);
  }

  #skip(record: SkippedRecord): boolean {
    if (this.#urls.has(record.url)) return false;
    const deferrable = ['depth', 'nofollow', 'duplicate'].includes(record.reason);
    this.#urls.set(record.url, deferrable ? 'deferred' : 'skipped');
    if (!deferrable) this.#journal.push(record.url);
    return true;
  }
}

/** Splits found links into links, speculative links, and records of links that are not followed. */
function parted(foundLinks: readonly DiscoveredUrl[]): {
  readonly links: readonly Candidate[];
  readonly speculativeLinks: readonly Candidate[];
  readonly records: readonly SkippedRecord[];
} {
  const candidates = foundLinks.flatMap((it) => ('reason' in it ? [] : [it]));
  const records = foundLinks.flatMap((it) => ('reason' in it ? [it] : []));
  const of = (confidence: Candidate['confidence']) => candidates.filter((it) => it.confidence === confidence);
  return { links: of('high'), speculativeLinks: of('low'), records };
}

function payEach(entries: readonly Pending[], share: number): void {
  for (const entry of entries) {
    entry.credit += share;
    entry.unseen += share;
  }
}

/** The priority of an entry in its host. */
function priorityOf(entry: Pending): number {
  return entry.facts.confidence === 'low' ? -1 : entry.credit - entry.unseen;
}

function byToken(a: Pending, b: Pending): number {
  return (a.token ?? 0) - (b.token ?? 0);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function seedsOf(candidates: readonly Candidate[], wanted: boolean): readonly Candidate[] {
  return candidates.filter(({ kind }) => (kind === 'seed') === wanted);
}
