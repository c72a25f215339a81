/** Limits the further requests of a page: a page that floods has used up most of the limit before its requests are counted. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import {
  ENDED_FROM,
  RATION_MARGIN,
  REQUEST_LIMIT,
  STOPPED_FROM,
  STOPPING_REQUESTS,
  UNTOLD_REQUESTS,
} from '../page-limits.ts';

export interface RequestCount {
  /** Number of requests that the page has begun in this visit. */
  readonly begun: () => number;
  /**
   * Number of requests that have been sent in this visit, as the browser's network says at once. A page reports what it begins between two
   * tasks: a script that goes on after a flood keeps us in ignorance of it.
   */
  readonly sent: () => number;
  /** Called for a request that does not leave the browser. */
  readonly refused: (requestId: string) => void;
  /** Called once where more requests than the limit began, or very many were sent, before they could be counted. */
  readonly overrun: () => void;
  /** Called once where requests go on all the same, up to nearly the limit. */
  readonly endless: () => void;
}

export class RequestRation {
  readonly #session: DevToolsSession;
  readonly #count: RequestCount;
  /** Requests that had begun before the browser was told to stop any. */
  readonly #before: number;
  #paused = 0;
  #passed = 0;
  /** Requests sent when the queue was emptied; null before. */
  #stoppedAt: number | null = null;
  #hasEnded = false;

  constructor(session: DevToolsSession, count: RequestCount) {
    this.#session = session;
    this.#count = count;
    this.#before = Math.max(count.begun(), count.sent());
  }

  /** Counts a request. @returns whether it may leave the browser */
  allows(requestId = ''): boolean {
    this.#paused += 1;
    const uncounted = this.#uncounted;
    if (this.#paused === 1 && uncounted > REQUEST_LIMIT - RATION_MARGIN) this.#stopLoading();
    if (uncounted + this.#passed >= REQUEST_LIMIT - RATION_MARGIN) {
      this.#count.refused(requestId);
      return false;
    }
    this.#passed += 1;
    return true;
  }

  /**
   * Called when the page has begun or sent one more request. On a busy machine a whole flood may have begun before the browser stops the first
   * request: then we are asked about none, and all that wait for a connection would leave.
   */
  recount(): void {
    const sent = this.#count.sent();
    // where only this program is late, what was sent has been told of before: no page is to blame for that
    const untold = sent - Math.max(this.#count.begun(), this.#passed);
    if (this.#uncounted > REQUEST_LIMIT || untold > UNTOLD_REQUESTS || sent > STOPPED_FROM) this.#stopLoading();
    if (this.#hasEnded || sent <= Math.max(ENDED_FROM, (this.#stoppedAt ?? sent) + STOPPING_REQUESTS)) return;
    this.#hasEnded = true;
    this.#count.endless();
  }

  /** Requests that left without being counted. A busy browser may report thousands as stopped before it reports that they begin. */
  get #uncounted(): number {
    return Math.max(this.#before, this.#count.begun() - this.#paused, this.#count.sent() - this.#passed);
  }

  /** Removes requests that began before they could be counted from the queue for connections. */
  #stopLoading(): void {
    if (this.#stoppedAt !== null) return;
    this.#stoppedAt = this.#count.sent();
    this.#count.overrun();
    this.#session.send('Page.stopLoading').catch(() => {}); // the page is gone
  }
}
