/** Limits the further requests of a page: a page that floods has used up most of the limit before its requests are counted. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { RATION_MARGIN, REQUEST_LIMIT } from '../page-limits.ts';

export interface RequestCount {
  /** Number of requests that the page has begun in this visit. */
  readonly begun: () => number;
  /** Called for a request that does not leave the browser. */
  readonly refused: (requestId: string) => void;
  /** Called once where more requests than the limit began before they could be counted. */
  readonly overrun: () => void;
}

export class RequestRation {
  readonly #session: DevToolsSession;
  readonly #count: RequestCount;
  /** Requests that had begun before the browser was told to stop any. */
  readonly #before: number;
  #paused = 0;
  #passed = 0;
  #hasStopped = false;

  constructor(session: DevToolsSession, count: RequestCount) {
    this.#session = session;
    this.#count = count;
    this.#before = count.begun();
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
   * Called when the page has begun one more request. On a busy machine a whole flood may have begun before the browser stops the first request:
   * then we are asked about none, and all that wait for a connection would leave.
   */
  begun(): void {
    if (this.#uncounted > REQUEST_LIMIT) this.#stopLoading();
  }

  /** Requests that left without being counted. A busy browser may report thousands as stopped before it reports that they begin. */
  get #uncounted(): number {
    return Math.max(this.#before, this.#count.begun() - this.#paused);
  }

  /** Removes requests that began before they could be counted from the queue for connections. */
  #stopLoading(): void {
    if (this.#hasStopped) return;
    this.#hasStopped = true;
    this.#count.overrun();
    this.#session.send('Page.stopLoading').catch(() => {}); // the page is gone
  }
}
