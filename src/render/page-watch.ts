/**
 * What one page does while it is visited, as Playwright's events tell it: requests under way and their class, errors,
 * dialogs, windows. Cleared at the start of every visit; every list is bounded, counts are whole.
 */
import type { Page as BrowserPage, Request } from 'playwright-core';
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import type { PageProblems } from '../model/page.ts';
import { DIALOG_LIMIT, NAVIGATION_LIMIT, PENDING_LIMIT } from './page-limits.ts';

/** Classes that may last for ever, and that no page waits for. */
const STREAMS: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'ping', 'media', 'cspviolationreport']);
/** Asked for so often, an address is polled. */
const POLL_COUNT = 4;
/** The body of a fetch that nobody reads never ends; so long after its head it is taken for one of these. */
const UNREAD_AFTER = 500;

/** The address without its query: polls often count in it. */
function addressOf(request: Request): string {
  return `${request.method()} ${request.url().split(/[?#]/, 1)[0] ?? ''}`;
}

export class PageWatch {
  readonly #clock: Clock;
  readonly #pending = new Set<Request>();
  readonly #asked = new Map<string, number>();
  readonly #answered = new Map<Request, Milliseconds>();
  readonly #windows: string[] = [];
  readonly #frames: string[] = [];
  #document: Request | null = null;
  readonly #onDialogFlood: () => void;
  #lastNews: Milliseconds;
  #loadAt: Milliseconds | null = null;
  #sockets = 0;
  #scripts = 0;
  #dialogs = 0;
  #console = 0;
  #exceptions = 0;
  #failedRequests = 0;

  constructor(page: BrowserPage, clock: Clock, onDialogFlood: () => void) {
    this.#clock = clock;
    this.#lastNews = clock.monotonic();
    this.#onDialogFlood = onDialogFlood;
    page.on('request', (request) => this.#begin(request));
    page.on('requestfinished', (request) => this.#end(request));
    page.on('requestfailed', (request) => {
      if (this.#pending.has(request) && !request.isNavigationRequest()) this.#failedRequests += 1;
      this.#end(request);
    });
    page.on('response', (response) => {
      this.#answered.set(response.request(), this.#clock.monotonic());
      this.#news();
    });
    page.on('websocket', (socket) => {
      this.#sockets += 1;
      socket.on('close', () => (this.#sockets -= 1));
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.#console += 1;
    });
    page.on('pageerror', () => (this.#exceptions += 1));
    page.on('dialog', (dialog) => {
      this.#dialogs += 1;
      if (this.#dialogs > DIALOG_LIMIT) this.#onDialogFlood();
      // a dismissed beforeunload would make every later navigation of the page fail (algorithms C2)
      const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answered.catch(() => {}); // the page may be gone
    });
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#pending.clear();
    this.#asked.clear();
    this.#answered.clear();
    this.#windows.length = 0;
    this.#frames.length = 0;
    this.#loadAt = null;
    this.#document = null;
    this.#sockets = 0;
    this.#scripts = 0;
    this.#dialogs = 0;
    this.#console = 0;
    this.#exceptions = 0;
    this.#failedRequests = 0;
    this.#news();
  }

  /**
   * We did something to the page: what it asks for now is an answer to that, and no poll, however often it asked for the
   * like before (a list that grows as it is scrolled). What is under way stays what it was taken for.
   */
  stirred(): void {
    const polls = new Set([...this.#pending].filter((request) => this.#isPoll(request)).map(addressOf));
    for (const address of this.#asked.keys()) if (!polls.has(address)) this.#asked.delete(address);
  }

  windowAsked(url: string): void {
    if (this.#windows.length < NAVIGATION_LIMIT && !this.#windows.includes(url)) this.#windows.push(url);
  }

  frameAsked(url: string): void {
    if (this.#frames.length < NAVIGATION_LIMIT && !this.#frames.includes(url)) this.#frames.push(url);
  }

  /** URLs that were to be loaded into frames, by links with a target for instance. */
  get frames(): readonly string[] {
    return this.#frames;
  }

  loaded(): void {
    this.#loadAt = this.#clock.monotonic();
  }

  /** When the load event came, on the monotonic clock; null before. */
  get loadAt(): Milliseconds | null {
    return this.#loadAt;
  }

  /** URLs of windows that the page wanted to open. */
  get windows(): readonly string[] {
    return this.#windows;
  }

  /** Did the document load scripts of its own? */
  get loadsScripts(): boolean {
    return this.#scripts > 0;
  }

  get problems(): PageProblems {
    return { console: this.#console, exceptions: this.#exceptions, failedRequests: this.#failedRequests };
  }

  /** How long no request has begun, been answered or ended. */
  silence(): Milliseconds {
    return milliseconds(Math.max(0, this.#clock.monotonic() - this.#lastNews));
  }

  /** Requests that the page may be waiting for: no streams, no polls. */
  waitedFor(): readonly Request[] {
    return [...this.#pending].filter(
      (request) => !STREAMS.has(request.resourceType()) && !this.#isPoll(request) && !this.#isUnread(request),
    );
  }

  /** Is the document itself still arriving? */
  documentPending(): boolean {
    return this.#document !== null && this.#pending.has(this.#document);
  }

  /** Is anything under way, streams and sockets too? */
  get holdsConnections(): boolean {
    return this.#pending.size > 0 || this.#sockets > 0;
  }

  /** What is under way, as the record names it. */
  pending(): readonly string[] {
    const names = [...this.#pending].slice(0, PENDING_LIMIT).map((request) => {
      const kind = this.#isPoll(request) ? 'poll' : request.resourceType();
      return `${kind} ${request.url().slice(0, 500)}`;
    });
    return this.#sockets > 0 ? [...names, `websocket ${this.#sockets}`].slice(0, PENDING_LIMIT) : names;
  }

  #begin(request: Request): void {
    this.#pending.add(request);
    const kind = request.resourceType();
    if (kind === 'script') this.#scripts += 1;
    // the first document of a visit is its own
    if (kind === 'document') this.#document ??= request;
    if (STREAMS.has(kind)) return;
    const address = addressOf(request);
    const times = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, times);
    if (times < POLL_COUNT) this.#news();
  }

  #end(request: Request): void {
    this.#answered.delete(request);
    if (!this.#pending.delete(request)) return;
    if (!STREAMS.has(request.resourceType()) && !this.#isPoll(request)) this.#news();
  }

  #isUnread(request: Request): boolean {
    const answered = request.resourceType() === 'fetch' ? this.#answered.get(request) : undefined;
    return answered !== undefined && this.#clock.monotonic() - answered > UNREAD_AFTER;
  }

  #isPoll(request: Request): boolean {
    const kind = request.resourceType();
    return (kind === 'fetch' || kind === 'xhr') && (this.#asked.get(addressOf(request)) ?? 0) >= POLL_COUNT;
  }

  #news(): void {
    this.#lastNews = this.#clock.monotonic();
  }
}
