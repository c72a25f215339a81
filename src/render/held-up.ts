/**
 * Which of the requests under way a page is waiting for, as opposed to those that are meant to hang (long polls). A slow
 * answer and a first long poll look alike; what tells them apart is what the address did before and what it is called.
 */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import type { WatchedRequest } from './request-log.ts';
import type { PatternHints } from './visit-hints.ts';
import type { PageWatch } from './page-watch.ts';

/** Quicker answers are waited for whatever they are called. */
const HUNG_AFTER: Milliseconds = milliseconds(600);
/** An address that hung before gets so long to show that it has changed. */
const KNOWN_HUNG_AFTER: Milliseconds = milliseconds(200);
/** What protocols of long polls call themselves: engine.io, CometD, SockJS, SignalR, and plain words. */
const POLL_NAME =
  /[/=?&._-](?:long-?poll(?:ing)?|poll(?:ing)?|comet|cometd|bayeux|sockjs|xhr_streaming|signalr|engine\.io|socket\.io|subscribe|lp)(?:[/?&=._-]|$)/i;

export class HeldUp {
  readonly #watch: PageWatch;
  readonly #hints: PatternHints;
  readonly #clock: Clock;
  /** When a request was first seen under way, and whether its like hung before. */
  readonly #seen = new Map<WatchedRequest, { readonly at: Milliseconds; readonly known: boolean }>();
  /** Requests before this one were an answer to something else. */
  #from = 0;

  constructor(watch: PageWatch, hints: PatternHints, clock: Clock) {
    this.#watch = watch;
    this.#hints = hints;
    this.#clock = clock;
  }

  /** What is asked for from here on says nothing about what was asked for before. */
  stirred(): void {
    this.#from = this.#watch.requests.length;
  }

  /** Requests that may still change the page. */
  waitedFor(): readonly WatchedRequest[] {
    const pending = this.#watch.waitedFor();
    if (pending.length === 0) return pending;
    const hanging = pending.filter((request) => this.#mayBePoll(request));
    // beside a request that will be answered nothing is in a hurry
    return hanging.length === pending.length && hanging.every((request) => this.#isPoll(request)) ? [] : pending;
  }

  /** The clock was let go in spite of these: what hung, hangs. */
  gaveUp(): void {
    for (const request of this.#watch.waitedFor()) if (this.#mayBePoll(request)) this.#hints.stalled(request.url);
  }

  /** What of the addresses that hung before has been answered this time. */
  learn(): void {
    const data = this.#watch.requests.filter(isData);
    const open = new Set(data.filter(({ ended }) => !ended).map(addressOf));
    const answered = data.filter((request) => request.status !== null && !open.has(addressOf(request)));
    for (const url of new Set(answered.map((request) => request.url))) this.#hints.answered(url);
  }

  #mayBePoll(request: WatchedRequest): boolean {
    return isData(request) && request.status === null && request.initiator === 'script';
  }

  #isPoll(request: WatchedRequest): boolean {
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(request) ?? { at: now, known: this.#hints.isLongPoll(request.url) };
    this.#seen.set(request, seen);
    const age = now - seen.at;
    if (seen.known && age > KNOWN_HUNG_AFTER) return true;
    return age > HUNG_AFTER && (POLL_NAME.test(request.url) || this.#isRepeated(request));
  }

  /** Was the very same asked for, and answered, before? Only of GET: one address may serve every POST of an application. */
  #isRepeated({ method, url }: WatchedRequest): boolean {
    if (method !== 'GET') return false;
    const before = this.#watch.requests.slice(this.#from);
    return before.some((other) => isData(other) && other.url === url && other.ended && other.status !== null);
  }
}

function isData({ type }: WatchedRequest): boolean {
  return type === 'fetch' || type === 'xhr';
}

function addressOf({ method, url }: WatchedRequest): string {
  return `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`;
}
