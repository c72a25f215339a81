/**
 * The requests of one visit, in order, as the protocol's Network events report them: which are under way, and of what
 * class. Bounded: what goes beyond {@link REQUEST_LIMIT} is counted, not kept.
 */
import type { EventOf } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import { NEWS_OF_STREAMS, SPARED_CONNECTIONS, UNKNOWN_BODY_AFTER, UNREAD_BODY_AFTER } from '../limits/idle-limits.ts';
import { COUNTED_FROM, PENDING_LIMIT, REQUEST_LIMIT } from '../page-limits.ts';
import { Repetitions } from './repetitions.ts';
import { RequestCounts } from './request-counts.ts';
import { RequestNews } from './request-news.ts';
import {
  isOpening,
  lastReadAt,
  requestEntry,
  STREAMS,
  type Begun,
  type RequestEntry,
  type WatchedRequest,
} from './watched-request.ts';

/** Is the body of an answer still on its way from its server? Null where that is not known. */
export type BodyArrives = (url: string) => boolean | null;

export class RequestLog {
  readonly news: RequestNews;
  readonly #clock: Clock;
  readonly #all: RequestEntry[] = [];
  readonly #pending = new Map<string, RequestEntry>();
  readonly #sockets = new Map<string, RequestEntry>();
  readonly #arrives: BodyArrives;
  readonly #repetitions = new Repetitions();
  readonly counts: RequestCounts = new RequestCounts();
  /** Ids of the documents that asked for something in this visit, and in the one before, whose page may still listen to a stream. */
  #loaders = new Set<string>();
  #left: ReadonlySet<string> = new Set();
  #document: RequestEntry | null = null;
  #documentFailed = false;
  #scripts = 0;
  #failed = 0;
  #streamMessages = 0;
  #socketMessages = 0;

  /** @param arrives asks the egress proxy; left out where the browser has none before it */
  constructor(clock: Clock, arrives: BodyArrives = () => null) {
    this.#clock = clock;
    this.#arrives = arrives;
    this.news = new RequestNews(clock);
  }

  /** @param sentBefore requests that an earlier try of this visit has sent */
  clear(sentBefore = 0): void {
    this.#all.length = 0;
    this.#pending.clear();
    this.#sockets.clear();
    this.#repetitions.clear();
    this.#left = this.#loaders;
    this.#loaders = new Set();
    this.#document = null;
    this.#documentFailed = false;
    this.counts.clear(sentBefore);
    this.#scripts = 0;
    this.#failed = 0;
    this.#streamMessages = 0;
    this.#socketMessages = 0;
    this.news.tell();
  }

  /** Requests in the order in which they were begun; the first {@link REQUEST_LIMIT} of them. */
  get all(): readonly WatchedRequest[] {
    return this.#all;
  }

  /** Number of scripts that were asked for. */
  get scripts(): number {
    return this.#scripts;
  }

  /** Number of failed requests, documents left out. */
  get failed(): number {
    return this.#failed;
  }

  /** Is anything under way, streams and sockets too, or held back? */
  get holdsConnections(): boolean {
    return this.#pending.size > 0 || this.#sockets.size > 0 || this.counts.begun > COUNTED_FROM;
  }

  /** Are so many under way, or held back, that the next visit might find no connection left? */
  get crowds(): boolean {
    return this.#pending.size > SPARED_CONNECTIONS || this.counts.begun > COUNTED_FROM;
  }

  /** Is the document itself still arriving? */
  documentPending(): boolean {
    return this.#document !== null && !this.#document.ended;
  }

  /** Did the connection end before the document did? False for a page that stops its own loading. */
  get documentFailed(): boolean {
    return this.#documentFailed;
  }

  /** Requests that the page may be waiting for: no polls; streams and sockets only until they open. */
  waitedFor(): readonly WatchedRequest[] {
    return [...this.#pending.values(), ...this.#sockets.values()].filter(
      (entry) =>
        (!STREAMS.has(entry.type) || isOpening(entry)) && !this.#repetitions.isPoll(entry) && !this.#isUnread(entry),
    );
  }

  /** Requests under way, as the record names them. */
  names(): readonly string[] {
    const flood = this.counts.exceedLimit ? [`flood ${this.counts.begun}`] : [];
    const sockets = this.#sockets.size > 0 ? [`websocket ${this.#sockets.size}`] : [];
    const last = [...flood, ...sockets];
    const names = [...this.#pending.values()].slice(0, PENDING_LIMIT - last.length).map((entry) => {
      const kind = this.#repetitions.isPoll(entry) && !STREAMS.has(entry.type) ? 'poll' : entry.type;
      return `${kind} ${entry.url.slice(0, 500)}`;
    });
    return [...names, ...last];
  }

  /**
   * Notes an action of ours on the page: later requests are effects of it, and no polls, however often the page has made such requests
   * before (a list that grows as it is scrolled). Requests under way keep their class.
   */
  onActivity(): void {
    this.#repetitions.restart(this.#pending.values());
  }

  begin(event: Begun): void {
    const { requestId, loaderId, request, type, redirectResponse } = event;
    this.news.report();
    if (this.#left.has(loaderId)) return;
    if (loaderId !== '' && this.#loaders.size < REQUEST_LIMIT) this.#loaders.add(loaderId);
    const kind = (type ?? 'Other').toLowerCase();
    // neither makes a request to the network that the page does not make by itself
    if (kind === 'preflight') this.counts.preflight();
    if (kind === 'preflight' || request.url.startsWith('data:')) return;
    const before = this.#pending.get(requestId);
    if (before !== undefined && redirectResponse !== undefined) {
      before.status = redirectResponse.status;
      before.contentType = cutText(redirectResponse.mimeType, 200);
      this.#close(before);
    }
    this.counts.begin();
    if (this.counts.exceedLimit) return;
    const entry = requestEntry(event, kind, this.#clock.monotonic());
    this.#all.push(entry);
    this.#pending.set(requestId, entry);
    if (kind === 'script') this.#scripts += 1;
    // the first document of a visit is its own
    if (kind === 'document') this.#document ??= entry;
    if (!STREAMS.has(kind) || isOpening(entry)) this.#count(entry);
  }

  answered({ requestId, response }: EventOf<'Network.responseReceived'>): void {
    const entry = this.#pending.get(requestId);
    if (entry === undefined) return;
    entry.status = response.status;
    entry.contentType = cutText(response.mimeType, 200);
    entry.answeredAt = this.#clock.monotonic();
    entry.hasLength = Object.keys(response.headers).some((name) => name.toLowerCase() === 'content-length');
    if (response.status >= 400) this.#repetitions.countFailure(entry);
    this.news.tell();
  }

  /** Notes that the page took a part of a body: the browser reports only what something in the page reads. */
  taken(requestId: string): void {
    const entry = this.#pending.get(requestId);
    if (entry !== undefined) entry.takenAt = this.#clock.monotonic();
  }

  finished(requestId: string): void {
    this.news.report();
    const entry = this.#pending.get(requestId);
    if (entry !== undefined) this.#end(entry);
  }

  failedWith({ requestId, blockedReason, canceled }: EventOf<'Network.loadingFailed'>): void {
    this.news.report();
    const entry = this.#pending.get(requestId);
    // a request that we block by a user's option has not failed, nor one that the page gives up; those of a flood are given up by us
    const isStopped = blockedReason === 'inspector' || (canceled === true && !this.counts.exceedLimit);
    const counts = !isStopped && (entry === undefined ? this.counts.exceedLimit : entry.type !== 'document');
    if (counts) this.#failed += 1;
    if (entry === undefined) return;
    if (entry === this.#document) this.#documentFailed = true;
    this.#repetitions.countFailure(entry);
    this.#end(entry);
  }

  /** Closes a request that does not leave the browser and will have no further events. */
  refused(requestId: string): void {
    this.news.report();
    this.#failed += 1;
    const entry = this.#pending.get(requestId);
    if (entry !== undefined) this.#close(entry);
  }

  /** Ends the request for the script of a worker that runs: the browser may not report its end. */
  workerStarted(url: string): void {
    for (const entry of this.#pending.values()) {
      if (entry.url === url && (entry.type === 'script' || entry.type === 'other')) this.#end(entry);
    }
  }

  /** Sockets that are open, or about to be. */
  get sockets(): number {
    return this.#sockets.size;
  }

  socketOpened({ requestId, url, initiator }: EventOf<'Network.webSocketCreated'>): void {
    // the socket is of the page before: scripts of a document do not run before its head has come
    if (this.#document !== null && this.#document.status === null) return;
    this.counts.begin();
    const event = { requestId, request: { url, method: 'GET' }, initiator: initiator ?? { type: 'other' as const } };
    const entry = requestEntry(event, 'websocket', this.#clock.monotonic());
    if (this.#all.length < REQUEST_LIMIT) this.#all.push(entry);
    this.#sockets.set(requestId, entry);
    this.#count(entry);
  }

  socketAnswered({ requestId, response }: EventOf<'Network.webSocketHandshakeResponseReceived'>): void {
    const entry = this.#sockets.get(requestId);
    if (entry === undefined) return;
    entry.status = response.status;
    this.news.tell();
  }

  socketClosed(requestId: string): void {
    const entry = this.#sockets.get(requestId);
    if (entry === undefined) return;
    if (isOpening(entry)) this.news.tell();
    entry.ended = true;
    this.#sockets.delete(requestId);
  }

  /** Counts a message of a stream. */
  streamSaid(): void {
    this.#streamMessages += 1;
    if (this.#streamMessages <= NEWS_OF_STREAMS) this.news.tell();
  }

  /** Counts a message of a socket: it holds no clock, and breaks no silence of the network. */
  socketSaid(): void {
    this.#socketMessages += 1;
  }

  /** Messages of streams and sockets so far. */
  get messages(): number {
    return this.#streamMessages + this.#socketMessages;
  }

  #end(entry: RequestEntry): void {
    this.#close(entry);
    if (!STREAMS.has(entry.type) && !this.#repetitions.isPoll(entry)) this.news.tell();
  }

  #close(entry: RequestEntry): void {
    entry.ended = true;
    this.#pending.delete(entry.id);
    this.#repetitions.end(entry);
  }

  /** Has its head come and its body not, because nothing in the page reads the body? */
  #isUnread(entry: RequestEntry): boolean {
    const { type, answeredAt, url, hasLength } = entry;
    if (type !== 'fetch' || answeredAt === null) return false;
    const age = this.#clock.monotonic() - (lastReadAt(entry) ?? answeredAt);
    if (age <= UNREAD_BODY_AFTER) return false;
    const arrives = this.#arrives(url);
    return arrives === null ? hasLength || age > UNKNOWN_BODY_AFTER : !arrives;
  }

  #count(entry: RequestEntry): void {
    this.#repetitions.begin(entry);
    if (!this.#repetitions.isPoll(entry)) this.news.tell();
  }
}
