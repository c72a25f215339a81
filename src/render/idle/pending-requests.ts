/**
 * Which of the requests under way a page is waiting for, as opposed to those that are meant to hang (long polls). A slow
 * answer and a first long poll look alike; what tells them apart is what the address did before and what it is called.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import { HUNG_AFTER, KNOWN_HUNG_AFTER, KNOWN_UNREAD_AFTER, UNREAD_AFTER } from '../limits/idle-limits.ts';
import type { PageWatch } from '../page/page-watch.ts';
import { isOpening, type WatchedRequest } from '../page/request-log.ts';
import type { Hanging, PatternWaits } from './learned-waits.ts';

/** What protocols of long polls call themselves: engine.io, CometD, SockJS, SignalR, and plain words. */
const POLL_NAME =
  /[/=?&._-](?:long-?poll(?:ing)?|poll(?:ing)?|comet|cometd|bayeux|sockjs|xhr_streaming|signalr|engine\.io|socket\.io|subscribe|lp)(?:[/?&=._-]|$)/i;

interface Seen {
  /** On the monotonic clock. */
  readonly at: Milliseconds;
  /** Did its like hang before? */
  readonly known: boolean;
}

export class PendingRequestClassifier {
  readonly #watch: PageWatch;
  readonly #learnedWaits: PatternWaits;
  readonly #clock: Clock;
  /** When requests were first seen to hang. */
  readonly #seen = { unanswered: new Map<WatchedRequest, Seen>(), unread: new Map<WatchedRequest, Seen>() };
  /** Addresses whose answers nobody read in this visit. */
  readonly #unread = new Set<string>();
  /** Requests before this one were an answer to something else … */
  #from = 0;
  /** … but for these addresses, which were asked again when it came. */
  #asksAgain: ReadonlySet<string> = new Set();
  /** Are answers to what was asked before waited for? Null where that did not come up. */
  #followsPolls: boolean | null = null;

  constructor(watch: PageWatch, learnedWaits: PatternWaits, clock: Clock) {
    this.#watch = watch;
    this.#learnedWaits = learnedWaits;
    this.#clock = clock;
  }

  /** What is asked for from here on says nothing about what was asked for before. */
  onActivity(): void {
    this.#asksAgain = new Set(this.repeats().map(addressOf));
    this.#from = this.#watch.requests.length;
  }

  /** Requests that may still change the page. */
  waitedFor(): readonly WatchedRequest[] {
    this.#lookForUnread();
    const pending = this.#watch.waitedFor().filter((request) => !this.#isUnread(request));
    const hanging = pending.filter((request) => mayBePoll(request));
    // beside a request that will be answered nothing is in a hurry
    return hanging.length === pending.length && hanging.every((request) => this.#isPoll(request)) ? [] : pending;
  }

  /**
   * Of what may still change the page what was asked for while its clock ran on. Polls go on for ever; what pages like this
   * one learnt by further answers decides whether those are waited for.
   */
  late(): readonly WatchedRequest[] {
    const pending = this.waitedFor();
    const repeats = this.repeats(pending);
    if (repeats.length === 0) return pending;
    this.#followsPolls ??= this.#learnedWaits.isWorth('polls');
    return this.#followsPolls ? pending : pending.filter((request) => !repeats.includes(request));
  }

  /** Requests under way to addresses that have answered before in this visit. */
  repeats(pending: readonly WatchedRequest[] = this.waitedFor()): readonly WatchedRequest[] {
    const scripted = pending.filter((request) => isData(request) && request.initiator === 'script');
    if (scripted.length === 0) return [];
    const before = this.#watch.requests.slice(this.#from).filter(({ ended, status }) => ended && status !== null);
    const answered = new Set(before.filter(isData).map(addressOf));
    return scripted.filter((request) => answered.has(addressOf(request)) || this.#asksAgain.has(addressOf(request)));
  }

  /** Does the page wait for what its clock stands still for? */
  holdsClock(): boolean {
    return this.waitedFor().some(({ type }) => type !== 'websocket');
  }

  /** Does it wait for a socket to open? The handshake reaches it only while its clock runs. */
  opensSocket(): boolean {
    return this.waitedFor().some(({ type }) => type === 'websocket');
  }

  /** These were not waited for any longer (those that hold the clock, where it was let go in spite of them): what hung, hangs. */
  gaveUp(which: 'clock' | 'all'): void {
    for (const request of this.#watch.waitedFor()) {
      if (!mayBePoll(request) || (which === 'clock' && request.type === 'websocket')) continue;
      this.#learnedWaits.hung('unanswered', request.url);
    }
  }

  /** What of the addresses that hung before has ended as it should this time. */
  learn(): void {
    const data = this.#watch.requests.filter((request) => isData(request) || isStream(request));
    const open = new Set(data.filter((request) => !request.ended && !isStream(request)).map(addressOf));
    const answered = new Map(data.filter(({ status }) => status !== null).map((one) => [addressOf(one), one.url]));
    for (const [address, url] of answered) {
      if (open.has(address)) continue;
      this.#learnedWaits.answered('unanswered', url);
      this.#learnedWaits.answered('unread', url);
    }
  }

  /** The body of an answer that nobody reads never ends, and an address that is asked so once is asked so again. */
  #lookForUnread(): void {
    const waitedFor = new Set(this.#watch.waitedFor());
    for (const request of this.#watch.requests) {
      if (waitedFor.has(request) || request.ended || request.type !== 'fetch' || request.status === null) continue;
      const address = addressOf(request);
      if (this.#age('unread', request).age <= UNREAD_AFTER || this.#unread.has(address)) continue;
      this.#unread.add(address);
      this.#learnedWaits.hung('unread', request.url);
    }
  }

  #isUnread(request: WatchedRequest): boolean {
    if (request.type !== 'fetch' || request.status === null) return false;
    const { age, known } = this.#age('unread', request);
    return (known || this.#unread.has(addressOf(request))) && age > KNOWN_UNREAD_AFTER;
  }

  #isPoll(request: WatchedRequest): boolean {
    const { age, known } = this.#age('unanswered', request);
    if (known && age > KNOWN_HUNG_AFTER) return true;
    return !isOpening(request) && age > HUNG_AFTER && (POLL_NAME.test(request.url) || this.#isRepeated(request));
  }

  #age(how: Hanging, request: WatchedRequest): { readonly age: number; readonly known: boolean } {
    const now = this.#clock.monotonic();
    const seen = this.#seen[how].get(request) ?? { at: now, known: this.#learnedWaits.hangs(how, request.url) };
    this.#seen[how].set(request, seen);
    return { age: now - seen.at, known: seen.known };
  }

  /** Was the very same asked for, and answered, before? Only of GET: one address may serve every POST of an application. */
  #isRepeated({ method, url }: WatchedRequest): boolean {
    if (method !== 'GET') return false;
    const before = this.#watch.requests.slice(this.#from);
    return before.some((other) => isData(other) && other.url === url && other.ended && other.status !== null);
  }
}

function mayBePoll(request: WatchedRequest): boolean {
  return isOpening(request) || (isData(request) && request.status === null && request.initiator === 'script');
}

function isData({ type }: WatchedRequest): boolean {
  return type === 'fetch' || type === 'xhr';
}

function isStream({ type }: WatchedRequest): boolean {
  return type === 'eventsource' || type === 'websocket';
}

function addressOf({ method, url }: WatchedRequest): string {
  return `${method} ${url.split(/[?#]/, 1)[0] ?? ''}`;
}
