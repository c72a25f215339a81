/**
 * Decides whether a crawl ends, and why. It is `stopped` by its user or a limit, once and for the first reason; or `broken` by an
 * error. Either may come first, and both may come before the last visit.
 */
import { CrawlError, type ErrorCode } from '../base/errors.ts';
import type { DispatchEnd } from '../dispatch/dispatcher.ts';
import type { CrawlContext } from './crawl-context.ts';
import { refusedWrite } from '../redis/refused-write.ts';
import { anythingSeen } from './summary/crawl-report.ts';
import type { CrawlEnd } from './crawl.ts';
import { noteStop } from './note-stop.ts';

const TAKEN_OVER: ReadonlySet<ErrorCode> = new Set(['CRAWL_LED', 'OUTPUT_IN_USE']);

export class CrawlEnding {
  readonly #context: CrawlContext;
  readonly #onStop: () => void;
  readonly #atOnce = new AbortController();
  readonly #draining = new AbortController();
  readonly #indexing = new AbortController();
  #stopped: CrawlEnd | null = null;
  /** Nothing is visited any more. */
  #over = false;
  #broken: unknown = null;
  /** Why it is signed out for good; null where it is not. */
  signedOut: string | null = null;

  /** @param onStop called whenever it is stopped */
  constructor(context: CrawlContext, onStop: () => void) {
    this.#context = context;
    this.#onStop = onStop;
    void context.signedOut.then((why) => {
      this.signedOut = why;
      this.stop('signed-out');
    }); // never rejects
  }

  /** Aborted where the work under way is given up. */
  get atOnce(): AbortSignal {
    return this.#atOnce.signal;
  }

  /** Aborted where nothing new begins. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** Aborted where work for later questions is given up, when the crawl itself is over. */
  get indexing(): AbortSignal {
    return this.#indexing.signal;
  }

  /** Is it stopped midway, to be resumed as it is? */
  get isPaused(): boolean {
    return this.#stopped === 'interrupted' || this.#stopped === 'signed-out';
  }

  /** Why it was stopped; null where it was not. */
  get stopped(): CrawlEnd | null {
    return this.#stopped;
  }

  /** The error that broke it off; null where none did. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Did it break off because another process goes on with it? */
  get isTakenOver(): boolean {
    return this.#broken instanceof CrawlError && TAKEN_OVER.has(this.#broken.code);
  }

  /** Did it break off because Redis has lost its state? */
  get isStateLost(): boolean {
    return this.#broken instanceof CrawlError && this.#broken.code === 'STATE_LOST';
  }

  /** Stops it for its user: the visits under way come to their ends, or are given up too. */
  interrupt(how: 'drain' | 'at-once'): void {
    this.stop('interrupted');
    this.#indexing.abort(new Error('the crawl was stopped'));
    if (how === 'at-once') this.#atOnce.abort(new Error('the crawl was stopped'));
  }

  /** Stops it: nothing new begins. */
  stop(end: CrawlEnd): void {
    if (this.#stopped === null && !this.#over) noteStop(this.#context, end);
    this.#stopped ??= end;
    this.#onStop();
    this.#draining.abort();
  }

  /** Gives up the work under way because of an error; the first one counts. No page is to blame, though crawl.json may not be written any more. */
  breakOff(error: unknown): void {
    if (this.#broken === null && this.#stopped === null && !this.#over) noteStop(this.#context, 'broken');
    this.#broken ??= refusedWrite(error) ?? error;
    this.#context.log.error('crawl breaks off', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    this.#atOnce.abort(error);
  }

  /** What has broken it off may keep it from closing, too: then its report is all that is told. @throws the error, where nothing has */
  readonly notClosed = (error: unknown): void => {
    if (this.#broken === null) throw error;
    this.#context.log.warn('not everything could be closed', { error: String(error) });
  };

  /** Gives up work for later questions. */
  leaveIndexing(cause: unknown): void {
    this.#indexing.abort(cause);
  }

  visitsAreOver(): void {
    this.#over = true;
  }

  /** Why it ends, once nothing is visited any more. @param dispatchEnd null where the dispatcher was broken off */
  endOf(dispatchEnd: DispatchEnd | null): CrawlEnd {
    if (this.#broken !== null) return 'broken';
    if (this.#stopped !== null) return this.#stopped;
    if (!anythingSeen(this.#context.tally)) return 'seeds-failed';
    if (dispatchEnd === 'hosts-given-up') return dispatchEnd;
    if (dispatchEnd !== 'budget-spent') return 'all-visited';
    return this.#context.size.isReached ? 'size-limit' : 'page-limit';
  }
}
