/**
 * Decides which pending requests of a page are waited for. A request that can bring content is waited for until it is answered or the time for
 * answers is over (design/rendering, "Slow answers and long polls"). A request is given up earlier only on evidence: its class (pictures,
 * openings of streams), its repetition in this visit, or vain waits of other pages.
 */
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import {
  HUNG_AFTER,
  KNOWN_UNREAD_AFTER,
  LEAST_HANG,
  LEAST_OPENING,
  REPEAT_FACTOR,
  UNREAD_AFTER,
  UNREAD_BODY_AFTER,
} from '../limits/idle-limits.ts';
import { STALL_LIMIT } from '../page-limits.ts';
import type { PageWatch } from '../page/page-watch.ts';
import {
  bringsContent,
  isAnswered,
  isData,
  isOpening,
  lastReadAt,
  type WatchedRequest,
} from '../page/watched-request.ts';
import type { PatternWaits } from './learned-waits.ts';

interface Seen {
  /** On the monotonic clock. */
  readonly at: Milliseconds;
  /** Is it known to hang on pages like this one? */
  readonly known: boolean;
}

interface PendingOptions {
  /** URL of the page. */
  readonly url: string;
  readonly learnedWaits: PatternWaits;
  readonly clock: Clock;
}

export class PendingRequests {
  readonly #watch: PageWatch;
  readonly #url: string;
  readonly #learnedWaits: PatternWaits;
  readonly #clock: Clock;
  /** When requests were first seen under way, and when first seen unread. */
  readonly #seen = { unanswered: new Map<WatchedRequest, Seen>(), unread: new Map<WatchedRequest, Seen>() };
  /** Operations whose answers no script read in this visit. */
  readonly #unread = new Set<string>();
  /** Streams and sockets that did not open in this visit. */
  readonly #neverOpened = new Set<WatchedRequest>();
  /** Operations that were waited for to the end of the time in this visit. */
  readonly #abandoned = new Set<string>();
  /** Is the time for answers over, until something else is done to the page? */
  #over = false;
  /** Index of the first request since the last activity; earlier requests answered other activities … */
  #from = 0;
  /** … except these operations, which were under way again when it began. */
  #asksAgain: ReadonlySet<string> = new Set();
  /** Are further answers to polls waited for? Null until that question arises. */
  #followsPolls: boolean | null = null;

  constructor(watch: PageWatch, { url, learnedWaits, clock }: PendingOptions) {
    this.#watch = watch;
    this.#url = url;
    this.#learnedWaits = learnedWaits;
    this.#clock = clock;
  }

  /** Starts anew for a document that is loaded, or loaded again. */
  onLoad(): void {
    this.#over = false;
    this.#from = 0;
    this.#asksAgain = new Set();
  }

  /** Starts anew after an activity: requests from here on say nothing about those before. */
  onActivity(): void {
    this.#over = false;
    this.#asksAgain = new Set(this.repeats().map(operationOf));
    this.#from = this.#watch.requests.length;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Requests that may still change the page. Where one of them is waited for, all others are, too. */
  waitedFor(): readonly WatchedRequest[] {
    if (this.#over) return [];
    this.#lookForUnread();
    const pending = this.#watch.waitedFor().filter((request) => !this.#isUnread(request));
    // every request is checked, as each has its own time
    return pending.map((request) => this.#isGivenUp(request)).every(Boolean) ? [] : pending;
  }

  /**
   * Requests that may still change the page and were begun while its clock ran on. Polls go on for ever; the gain from further answers on
   * similar pages decides whether they are waited for.
   */
  late(): readonly WatchedRequest[] {
    const pending = this.waitedFor();
    const repeats = this.repeats(pending);
    if (repeats.length === 0) return pending;
    this.#followsPolls ??= this.#learnedWaits.isWorth('polls');
    return this.#followsPolls ? pending : pending.filter((request) => !repeats.includes(request));
  }

  /** Pending requests that repeat an operation that was answered before in this visit. */
  repeats(pending: readonly WatchedRequest[] = this.waitedFor()): readonly WatchedRequest[] {
    const scripted = pending.filter((request) => isData(request) && request.initiator === 'script');
    if (scripted.length === 0) return [];
    const answered = new Set(this.#watch.requests.slice(this.#from).filter(isAnswered).map(operationOf));
    return scripted.filter(({ operation }) => answered.has(operation) || this.#asksAgain.has(operation));
  }

  /** Does the page wait for a request that stops its clock? */
  holdsClock(): boolean {
    return this.waitedFor().some(({ type }) => type !== 'websocket');
  }

  /** Does it wait for a socket to open? The handshake reaches it only while its clock runs. */
  opensSocket(): boolean {
    return this.waitedFor().some(({ type }) => type === 'websocket');
  }

  /** Requests that are waited for and can bring content; the record names them. */
  unanswered(): readonly WatchedRequest[] {
    return this.waitedFor().filter(bringsContent);
  }

  /** Ends the time for answers: pending requests are not waited for any longer, nor are requests of this visit that do the same. */
  abandon(): void {
    const now = this.#clock.monotonic();
    this.#over = true;
    for (const request of this.#watch.waitedFor()) {
      this.#abandoned.add(request.operation);
      if (bringsContent(request) && request.status === null && now - request.begunAt >= LEAST_HANG)
        this.#learnedWaits.hung('unanswered', request.operation, { url: this.#url, now });
    }
  }

  /** Called when the visit waits no more: its operations that came to their end hang on no page. */
  learn(): void {
    const ended = this.#watch.requests.filter((request) => isAnswered(request) && mayHang(request));
    if (ended.length === 0) return;
    const open = new Set(this.#watch.requests.filter((one) => !one.ended && mayHang(one)).map(operationOf));
    for (const operation of new Set(ended.map(operationOf))) {
      if (!open.has(operation)) this.#learnedWaits.ended(operation);
    }
  }

  /** Notes answers that nobody reads: their bodies never end, and a script that asks so once asks so again. */
  #lookForUnread(): void {
    const waitedFor = new Set(this.#watch.waitedFor());
    for (const request of this.#watch.requests) {
      if (waitedFor.has(request) || request.ended || request.type !== 'fetch' || request.status === null) continue;
      const { operation } = request;
      if (this.#age('unread', request).age <= UNREAD_AFTER || this.#unread.has(operation)) continue;
      this.#unread.add(operation);
      this.#learnedWaits.hung('unread', operation, { url: this.#url, now: this.#clock.monotonic() });
    }
  }

  #isUnread(request: WatchedRequest): boolean {
    if (request.type !== 'fetch' || request.status === null || this.#watch.bodyArrives(request.url) === true)
      return false;
    const readAt = lastReadAt(request);
    if (readAt !== null && this.#clock.monotonic() - readAt <= UNREAD_BODY_AFTER) return false;
    const { age, known } = this.#age('unread', request);
    return (known || this.#unread.has(request.operation)) && age > KNOWN_UNREAD_AFTER;
  }

  /** Is there evidence that no answer will come, or that it brings nothing? */
  #isGivenUp(request: WatchedRequest): boolean {
    if (!bringsContent(request))
      return isOpening(request) ? this.#opensNoMore(request) : this.#watch.news.silence() > STALL_LIMIT;
    if (request.status !== null) return this.#abandoned.has(request.operation);
    const { age, known } = this.#age('unanswered', request);
    if (age <= HUNG_AFTER) return false;
    if (known || this.#abandoned.has(request.operation)) return true;
    const before = this.#answersBefore(request);
    return before.length > 0 && age > patienceAfter(before);
  }

  /** Is the opening of a stream or a socket given up? It is known to hang, or it is slow. */
  #opensNoMore(request: WatchedRequest): boolean {
    const { age, known } = this.#age('unanswered', request);
    if (known && age > HUNG_AFTER) return true;
    const now = this.#clock.monotonic();
    if (this.#watch.news.silence() <= STALL_LIMIT) return false;
    if (!this.#neverOpened.has(request) && now - request.begunAt > LEAST_OPENING) {
      this.#neverOpened.add(request);
      this.#learnedWaits.hung('unanswered', request.operation, { url: this.#url, now });
    }
    return true;
  }

  #age(how: 'unanswered' | 'unread', request: WatchedRequest): { readonly age: number; readonly known: boolean } {
    const now = this.#clock.monotonic();
    const seen = this.#seen[how].get(request) ?? {
      at: now,
      known: this.#learnedWaits.hangs(how, request.operation, now),
    };
    this.#seen[how].set(request, seen);
    return { age: now - seen.at, known: seen.known };
  }

  /** Answers of this visit to the very same request of a script; a request that follows an error is no poll. */
  #answersBefore(request: WatchedRequest): readonly WatchedRequest[] {
    if (!isData(request) || request.again === null || request.initiator !== 'script') return [];
    const before = this.#watch.requests.slice(this.#from);
    return before.filter((other) => other !== request && isAnswered(other) && other.again === request.again);
  }
}

/** Time to wait for the next answer to a poll: a slow server takes about as long again, a long poll as long as it likes. */
function patienceAfter(before: readonly WatchedRequest[]): number {
  const longest = Math.max(...before.map(({ begunAt, answeredAt }) => (answeredAt ?? begunAt) - begunAt));
  return Math.max(HUNG_AFTER, longest * REPEAT_FACTOR);
}

/** True for data, and for other requests that took long; other scripts and sheets are not expected to hang. */
function mayHang(request: WatchedRequest): boolean {
  const { begunAt, answeredAt } = request;
  return isData(request) || (bringsContent(request) && (answeredAt === null || answeredAt - begunAt > HUNG_AFTER));
}

function operationOf({ operation }: WatchedRequest): string {
  return operation;
}
