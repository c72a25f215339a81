/**
 * Resolves names and caches the answers for minutes. Callers with the same name wait for one look-up, and none waits longer than the
 * bound. A look-up that was too slow for its caller still fills the cache when it ends.
 */
import type { Clock } from '../../base/clock.ts';
import { isLocalhost, LOCALHOST_ADDRESSES } from '../../base/loopback-name.ts';
import { LruMap } from '../../base/lru-map.ts';
import { hours, milliseconds, minutes, type Milliseconds } from '../../base/units.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { detailOf } from '../network-failure.ts';
import { parseIpAddress } from './ip-address.ts';

type Resolution =
  | { readonly kind: 'resolved'; readonly addresses: readonly string[] }
  /** `known` where the DNS says that there is no such address; otherwise no server answered, and one may answer later. */
  | { readonly kind: 'unresolvable'; readonly detail: string; readonly known: boolean };

export type NameAnswer =
  /** `ttl` is null where the source gives none. */
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly ttl: Milliseconds | null }
  /** The name does not exist, or has no address. */
  | { readonly kind: 'none'; readonly detail: string };

/** A source of addresses for names. Rejects where it gets no answer; the message says why. */
export interface NameResolver {
  resolve(name: string): Promise<NameAnswer>;
}

/** Shortest time an answer is kept: a crawl is better with steady ones, and some records have a TTL of 0. */
const TTL_LEAST = minutes(1);
/** Longest time an answer is kept (BUbiNG's). */
const TTL_MOST = hours(1);
/** Time for which an answer without a TTL is kept. */
const TTL_DEFAULT = minutes(5);
const KEEP_NEGATIVE = minutes(1);
/** About 3 MB; the names of the hosts with which a crawl is busy. */
const NAME_LIMIT = 10_000;

interface Known {
  readonly resolution: Resolution;
  readonly until: number;
}

interface Answer {
  readonly resolution: Resolution;
  readonly keep: Milliseconds;
}

export class DnsCache {
  readonly #resolver: NameResolver;
  readonly #clock: Clock;
  readonly #limit: Milliseconds;
  readonly #known = new LruMap<string, Known>(NAME_LIMIT);
  readonly #underWay = new Map<string, Promise<Resolution>>();

  /** @param limit how long one look-up may take before it counts as unresolvable */
  constructor(resolver: NameResolver, clock: Clock, limit: Milliseconds) {
    this.#resolver = resolver;
    this.#clock = clock;
    this.#limit = limit;
  }

  /** All addresses of a host name or address literal. Never rejects for what a name does. @throws the signal's reason */
  async resolve(hostName: string, signal: AbortSignal): Promise<Resolution> {
    signal.throwIfAborted();
    const name = normalName(hostName);
    const ready = this.#without(name);
    if (ready !== null) return ready;
    return await untilAborted(this.#lookUp(name), signal);
  }

  /** The same, but repeats a look-up that got no answer before: for a caller that has waited in between. */
  async resolveAnew(hostName: string, signal: AbortSignal): Promise<Resolution> {
    signal.throwIfAborted();
    const name = normalName(hostName);
    const ready = this.#without(name);
    if (ready !== null && (ready.kind === 'resolved' || ready.known)) return ready;
    return await untilAborted(this.#lookUp(name), signal);
  }

  /** Answers without a look-up: literals, names of RFC 6761, the cache. */
  #without(name: string): Resolution | null {
    // never asked of a server
    if (isLocalhost(name)) return { kind: 'resolved', addresses: LOCALHOST_ADDRESSES };
    if (parseIpAddress(name) !== null) return { kind: 'resolved', addresses: [name] };
    if (/(?:^|\.)invalid$/.test(name)) return none(`the name ${name} does not exist`).resolution;
    const known = this.#known.get(name);
    if (known === undefined) return null;
    if (known.until > this.#clock.monotonic()) return known.resolution;
    this.#known.delete(name);
    return null;
  }

  #lookUp(name: string): Promise<Resolution> {
    const running = this.#underWay.get(name);
    if (running !== undefined) return running;
    const lookUp = this.#ask(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, lookUp);
    return lookUp;
  }

  async #ask(name: string): Promise<Resolution> {
    const answer = this.#answerOf(name).then((found) => this.#keep(name, found));
    const timer = new AbortController();
    const tooLong = this.#clock.sleep(this.#limit, timer.signal).then(
      () => this.#keep(name, unanswered(`no answer of the DNS within ${this.#limit} ms`)),
      () => unanswered('not waited for').resolution, // the answer came first
    );
    const first = await Promise.race([answer, tooLong]);
    timer.abort();
    return first;
  }

  async #answerOf(name: string): Promise<Answer> {
    try {
      const answer = await this.#resolver.resolve(name);
      if (answer.kind === 'none') return none(answer.detail);
      const addresses = [...new Set(answer.addresses)];
      if (addresses.length === 0) return none('the name has no address');
      return { resolution: { kind: 'resolved', addresses }, keep: boundedTtl(answer.ttl) };
    } catch (error) {
      return unanswered(detailOf(error));
    }
  }

  #keep(name: string, { resolution, keep }: Answer): Resolution {
    this.#known.set(name, { resolution, until: this.#clock.monotonic() + keep });
    return resolution;
  }
}

/** Lower case, no root dot, no brackets round an IPv6 address. */
export function normalName(hostName: string): string {
  return hostName
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

function boundedTtl(ttl: Milliseconds | null): Milliseconds {
  return ttl === null ? TTL_DEFAULT : milliseconds(Math.min(Math.max(ttl, TTL_LEAST), TTL_MOST));
}

function none(detail: string): Answer {
  return { resolution: { kind: 'unresolvable', detail, known: true }, keep: KEEP_NEGATIVE };
}

function unanswered(detail: string): Answer {
  return { resolution: { kind: 'unresolvable', detail, known: false }, keep: KEEP_NEGATIVE };
}
