/**
 * Fetches and stores the robots.txt of a host by RFC 9309 sections 2.3 and 2.4. core/robots reads the rules.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { LruMap } from '../base/lru-map.ts';
import { bytes, mebibytes, seconds, type Bytes, type EpochMs, type Milliseconds } from '../base/units.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { valueOf } from '../core/answers/judge-answer.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import { ROBOTS_BYTE_LIMIT } from '../core/robots/parse.ts';
import { accessAfter } from '../core/robots/unavailable.ts';
import type { Egress } from '../egress/egress.ts';
import type { HostKey } from '../model/url/host-key.ts';
import { NO_USER_HEADERS, type UserHeaders } from '../model/user-headers.ts';
import { fetchBytes, type FetchResult } from './http.ts';
import { currentAnswer, NOTHING_KNOWN, withAnswer, type RobotsAnswer, type RobotsEntry } from './robots-entry.ts';
import type { RobotsStore } from './robots-store.ts';

export type { RobotsAnswer } from './robots-entry.ts';

export interface RobotsSource {
  /**
   * The robots.txt of a host as known; fetched from the host if that copy is too old. Concurrent callers for the same host
   * wait for one fetch. `fetchedAt` shows whether the host was asked just now.
   * @throws the signal's reason; errors of the store
   */
  answerFor(host: HostKey, signal: AbortSignal): Promise<RobotsAnswer>;
}

interface RobotsSourceOptions {
  readonly egress: Pick<Egress, 'dispatcher'>;
  readonly userAgent: string;
  /** The user's headers, each for its origins; left out for none. */
  readonly headers?: UserHeaders;
  readonly store: RobotsStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Longest Retry-After that is obeyed. */
  readonly maxRetryAfter?: Milliseconds;
}

/** One byte more than is parsed: by it the parser knows that its last line may be cut. */
const ROBOTS_FETCH_LIMIT: Bytes = bytes(ROBOTS_BYTE_LIMIT + 1);
/** Time limit for all hops and the body. A slower host counts as unreachable. */
const ROBOTS_TIMEOUT = seconds(30);
/** Limits of the entries cached in this process, by bytes of bodies and by number, so that a busy host needs no request to the store. */
const NEAR_BYTES = mebibytes(32);
const NEAR_HOSTS = 2000;

export function openRobotsSource(options: RobotsSourceOptions): RobotsSource {
  const near = new LruMap<HostKey, RobotsEntry>(NEAR_HOSTS, { of: sizeOf, most: NEAR_BYTES });
  const underWay = new Map<HostKey, Promise<RobotsAnswer>>();
  const { clock } = options;
  const current = (entry: RobotsEntry) => currentAnswer(entry, clock.now(), options.maxRetryAfter);

  async function find(host: HostKey): Promise<RobotsAnswer> {
    const stored = await options.store.get(host);
    const known = stored === null ? null : current(stored);
    if (stored !== null && known !== null) {
      near.set(host, stored);
      return known;
    }
    const fetched = await fetchRobots(host, options);
    if (fetched.kind === 'blocked') return fetched; // it costs no request, and a grant may change it
    const entry = withAnswer(stored ?? NOTHING_KNOWN, fetched, clock.now());
    near.set(host, entry);
    await options.store.put(host, entry);
    const answer = current(entry) ?? fetched;
    options.log.debug('robots.txt fetched', { host, fetched: fetched.kind, used: answer.kind });
    return answer;
  }

  return {
    answerFor: async (host, signal) => {
      signal.throwIfAborted();
      const entry = near.get(host);
      const known = entry === undefined ? null : current(entry);
      if (known !== null) return known;
      const running = underWay.get(host) ?? find(host).finally(() => underWay.delete(host));
      underWay.set(host, running);
      return await untilAborted(running, signal);
    },
  };
}

/** Ends by its own time limit or with the egress, not by a caller's signal, because other callers may wait for it too. */
async function fetchRobots(
  host: HostKey,
  { egress, userAgent, headers = NO_USER_HEADERS, clock }: RobotsSourceOptions,
): Promise<RobotsAnswer> {
  const url = `${host}/robots.txt`;
  const result = await fetchBytes(
    {
      url,
      userAgent,
      headers,
      accept: 'text/plain, */*;q=0.5',
      byteLimit: ROBOTS_FETCH_LIMIT,
      timeout: ROBOTS_TIMEOUT,
      redirects: 'follow-up-to-5',
    },
    egress,
    new AbortController().signal,
  );
  return answerOf(result, url, clock.now());
}

/** The answer by RFC 9309 section 2.3.1, status by status. Where the RFC leaves a choice, the host's interest decides. */
export function answerOf(result: FetchResult, url: string, now: EpochMs): RobotsAnswer {
  if (result.kind === 'failed') return { kind: 'unreachable', failure: result.failure, detail: result.detail };
  if (result.kind === 'blocked') {
    if (result.url === url) return { kind: 'blocked', detail: result.detail };
    return {
      kind: 'unreachable',
      failure: 'other',
      detail: `robots.txt redirects to a refused address: ${result.detail}`,
    };
  }
  const { status, headers, truncated, body } = result;
  const why =
    status >= 300 && status < 400
      ? 'robots.txt redirects more than 5 times, or to nowhere'
      : `robots.txt answered with status ${status}`;
  const access = accessAfter(status);
  const retryAfter = parseRetryAfter(valueOf(headers, 'retry-after'), now);
  // a 403 that passes is about the visitor, as for pages (core/answers/judge-answer.ts): it does not say that there are no rules
  if (access === 'disallow' || (status === 403 && retryAfter !== null)) return forbidden(why, retryAfter);
  if (access === 'allow') return { kind: 'allow-all', why, fetchedAt: now };
  switch (truncated) {
    case null:
    case 'length': // the RFC allows ignoring the rest
    case 'ratio':
      return { kind: 'body', body, status, fetchedAt: now };
    case 'time':
      return { kind: 'unreachable', failure: 'timeout', detail: 'robots.txt did not end in time' };
    case 'disconnect': // the missing part may hold the deciding rule
      return { kind: 'unreachable', failure: 'reset', detail: 'the connection ended within robots.txt' };
    case 'encoding':
      return { kind: 'unreachable', failure: 'bad-response', detail: 'robots.txt could not be decoded' };
  }
}

function forbidden(why: string, retryAfter: Milliseconds | null): Extract<RobotsAnswer, { kind: 'forbid-all' }> {
  return retryAfter === null ? { kind: 'forbid-all', why } : { kind: 'forbid-all', why, retryAfter };
}

function sizeOf({ rules }: RobotsEntry): number {
  return rules?.kind === 'body' ? rules.body.length : 0;
}
