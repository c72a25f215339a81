/**
 * The requests of one visit, in order, as the protocol's Network events tell them: which are under way, and of what
 * class. Bounded: what goes beyond {@link REQUEST_LIMIT} is counted, not kept.
 */
import type { EventOf } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { NEWS_OF_STREAMS, POLL_COUNT, SPARED_CONNECTIONS, UNREAD_BODY_AFTER } from '../limits/idle-limits.ts';
import { COUNTED_FROM, PENDING_LIMIT, REQUEST_LIMIT, URL_LENGTH } from '../page-limits.ts';

export interface WatchedRequest {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  /** The protocol's resource type in lower case: `document`, `script`, `xhr`, `fetch`, `image`, `websocket` … */
  readonly type: string;
  /** Null before the answer, and where there is none. */
  readonly status: number | null;
  readonly contentType: string | null;
  readonly initiator: 'parser' | 'script' | 'other';
  /** Of the script or document that asked for it; null where the browser does not tell. */
  readonly initiatorUrl: string | null;
  /** Finished or failed. */
  readonly ended: boolean;
  readonly frameId: string | null;
}

type Entry = { -readonly [Field in keyof WatchedRequest]: WatchedRequest[Field] } & {
  /** When its head came, on the monotonic clock. */
  answeredAt: Milliseconds | null;
};

type Begun = EventOf<'Network.requestWillBeSent'>;

/** Classes that may last for ever, and whose end no page waits for. */
const STREAMS: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'ping', 'media', 'cspviolationreport']);
/** Of these a page waits for the opening: it may go on from there as from an answer. */
const OPENED: ReadonlySet<string> = new Set(['eventsource', 'websocket']);

/** The address without its query: polls often count in it. */
function addressOf({ method, url }: WatchedRequest): string {
  const end = url.search(/[?#]/);
  return `${method} ${end < 0 ? url : url.slice(0, end)}`;
}

export class RequestLog {
  readonly #clock: Clock;
  readonly #all: Entry[] = [];
  readonly #pending = new Map<string, Entry>();
  readonly #sockets = new Map<string, Entry>();
  readonly #asked = new Map<string, number>();
  /** Ids of the documents that asked for something in this visit, and in the one before: its page may still listen to a stream. */
  #loaders = new Set<string>();
  #left: ReadonlySet<string> = new Set();
  #document: Entry | null = null;
  #documentFailed = false;
  #lastNews: Milliseconds;
  #begun = 0;
  #scripts = 0;
  #failed = 0;
  #messages = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastNews = clock.monotonic();
  }

  clear(): void {
    this.#all.length = 0;
    this.#pending.clear();
    this.#sockets.clear();
    this.#asked.clear();
    this.#left = this.#loaders;
    this.#loaders = new Set();
    this.#document = null;
    this.#documentFailed = false;
    this.#begun = 0;
    this.#scripts = 0;
    this.#failed = 0;
    this.#messages = 0;
    this.#news();
  }

  /** In the order in which they were begun; the first {@link REQUEST_LIMIT} of them. */
  get all(): readonly WatchedRequest[] {
    return this.#all;
  }

  /** How many were begun, those beyond the limit included. */
  get begun(): number {
    return this.#begun;
  }

  /** Scripts that were asked for. */
  get scripts(): number {
    return this.#scripts;
  }

  /** How many failed, documents left out. */
  get failed(): number {
    return this.#failed;
  }

  /** Is anything under way, streams and sockets too, or held back? */
  get holdsConnections(): boolean {
    return this.#pending.size > 0 || this.#sockets.size > 0 || this.#begun > COUNTED_FROM;
  }

  /** Are so many under way, or held back, that the next visit might find no connection left? */
  get crowds(): boolean {
    return this.#pending.size > SPARED_CONNECTIONS || this.#begun > COUNTED_FROM;
  }

  /** Is the document itself still arriving? */
  documentPending(): boolean {
    return this.#document !== null && !this.#document.ended;
  }

  /** Did the connection end before the document did? A page that stops its own loading is not told of here. */
  get documentFailed(): boolean {
    return this.#documentFailed;
  }

  /** How long no request has begun, been answered or ended. */
  silence(): Milliseconds {
    return milliseconds(Math.max(0, this.#clock.monotonic() - this.#lastNews));
  }

  /** Requests that the page may be waiting for: no polls, and of streams and sockets those that are still to open. */
  waitedFor(): readonly WatchedRequest[] {
    return [...this.#pending.values(), ...this.#sockets.values()].filter(
      (entry) => (!STREAMS.has(entry.type) || isOpening(entry)) && !this.#isPoll(entry) && !this.#isUnread(entry),
    );
  }

  /** What is under way, as the record names it. */
  names(): readonly string[] {
    const flood = this.#isFlooded ? [`flood ${this.#begun}`] : [];
    const sockets = this.#sockets.size > 0 ? [`websocket ${this.#sockets.size}`] : [];
    const last = [...flood, ...sockets];
    const names = [...this.#pending.values()].slice(0, PENDING_LIMIT - last.length).map((entry) => {
      const kind = this.#isPoll(entry) && !STREAMS.has(entry.type) ? 'poll' : entry.type;
      return `${kind} ${entry.url.slice(0, 500)}`;
    });
    return [...names, ...last];
  }

  /**
   * We did something to the page: what it asks for now is an answer to that, and no poll, however often it asked for the
   * like before (a list that grows as it is scrolled). What is under way stays what it was taken for.
   */
  onActivity(): void {
    const polls = new Set([...this.#pending.values()].filter((entry) => this.#isPoll(entry)).map(addressOf));
    for (const address of this.#asked.keys()) if (!polls.has(address)) this.#asked.delete(address);
  }

  begin(event: Begun): void {
    const { requestId, loaderId, request, type, redirectResponse } = event;
    if (this.#left.has(loaderId)) return;
    if (loaderId !== '' && this.#loaders.size < REQUEST_LIMIT) this.#loaders.add(loaderId);
    const kind = (type ?? 'Other').toLowerCase();
    // neither asks the network for anything that the page does not ask for by itself
    if (kind === 'preflight' || request.url.startsWith('data:')) return;
    const before = this.#pending.get(requestId);
    if (before !== undefined && redirectResponse !== undefined) {
      before.status = redirectResponse.status;
      before.contentType = cutText(redirectResponse.mimeType, 200);
      this.#close(before);
    }
    this.#begun += 1;
    if (this.#begun > REQUEST_LIMIT) return;
    const entry = entryOf(event, kind);
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
    this.#news();
  }

  finished(requestId: string): void {
    const entry = this.#pending.get(requestId);
    if (entry !== undefined) this.#end(entry);
  }

  failedWith({ requestId, blockedReason }: EventOf<'Network.loadingFailed'>): void {
    const entry = this.#pending.get(requestId);
    // what we block by a user's option has not failed
    const counts = blockedReason !== 'inspector' && (entry === undefined ? this.#isFlooded : entry.type !== 'document');
    if (counts) this.#failed += 1;
    if (entry === undefined) return;
    if (entry === this.#document) this.#documentFailed = true;
    this.#end(entry);
  }

  /** It does not leave the browser, and nothing will be heard of it. */
  refused(requestId: string): void {
    this.#failed += 1;
    const entry = this.#pending.get(requestId);
    if (entry !== undefined) this.#close(entry);
  }

  /** A worker runs: its script has come, whoever tells of it. */
  workerStarted(url: string): void {
    for (const entry of this.#pending.values()) {
      if (entry.url === url && (entry.type === 'script' || entry.type === 'other')) this.#end(entry);
    }
  }

  socketOpened({ requestId, url, initiator }: EventOf<'Network.webSocketCreated'>): void {
    // nothing of a document runs before its head has come: this one is of the page before
    if (this.#document !== null && this.#document.status === null) return;
    this.#begun += 1;
    const event = { requestId, request: { url, method: 'GET' }, initiator: initiator ?? { type: 'other' as const } };
    const entry = entryOf(event, 'websocket');
    if (this.#all.length < REQUEST_LIMIT) this.#all.push(entry);
    this.#sockets.set(requestId, entry);
    this.#count(entry);
  }

  socketAnswered({ requestId, response }: EventOf<'Network.webSocketHandshakeResponseReceived'>): void {
    const entry = this.#sockets.get(requestId);
    if (entry === undefined) return;
    entry.status = response.status;
    this.#news();
  }

  socketClosed(requestId: string): void {
    const entry = this.#sockets.get(requestId);
    if (entry === undefined) return;
    if (isOpening(entry)) this.#news();
    entry.ended = true;
    this.#sockets.delete(requestId);
  }

  /** A stream has told the page something. */
  streamSaid(): void {
    this.#messages += 1;
    if (this.#messages <= NEWS_OF_STREAMS) this.#news();
  }

  get #isFlooded(): boolean {
    return this.#begun > REQUEST_LIMIT;
  }

  #end(entry: Entry): void {
    this.#close(entry);
    if (!STREAMS.has(entry.type) && !this.#isPoll(entry)) this.#news();
  }

  #close(entry: Entry): void {
    entry.ended = true;
    this.#pending.delete(entry.id);
  }

  #isUnread({ type, answeredAt }: Entry): boolean {
    return type === 'fetch' && answeredAt !== null && this.#clock.monotonic() - answeredAt > UNREAD_BODY_AFTER;
  }

  /** Asked for again and again; a stream or a socket that fails is, too. */
  #isPoll(entry: Entry): boolean {
    const polls = entry.type === 'fetch' || entry.type === 'xhr' || OPENED.has(entry.type);
    return polls && (this.#asked.get(addressOf(entry)) ?? 0) >= POLL_COUNT;
  }

  #count(entry: Entry): void {
    const address = addressOf(entry);
    const times = (this.#asked.get(address) ?? 0) + 1;
    this.#asked.set(address, times);
    if (times < POLL_COUNT) this.#news();
  }

  #news(): void {
    this.#lastNews = this.#clock.monotonic();
  }
}

/** Has a stream or a socket that was asked for not been answered yet? */
export function isOpening({ type, status, ended }: WatchedRequest): boolean {
  return OPENED.has(type) && status === null && !ended;
}

type Initiator = Begun['initiator'];

interface Asked {
  readonly requestId: string;
  readonly request: Pick<Begun['request'], 'url' | 'method'>;
  readonly initiator: Initiator;
  readonly frameId?: string | undefined;
}

function entryOf({ requestId, request, initiator, frameId }: Asked, type: string): Entry {
  return {
    id: requestId,
    url: cutText(request.url, URL_LENGTH),
    method: cutText(request.method, 20),
    type,
    status: null,
    contentType: null,
    initiator: initiator.type === 'parser' || initiator.type === 'script' ? initiator.type : 'other',
    initiatorUrl: cutText(initiatorUrlOf(initiator) ?? '', URL_LENGTH) || null,
    ended: false,
    frameId: frameId ?? null,
    answeredAt: null,
  };
}

function initiatorUrlOf({ url, stack }: Initiator): string | null {
  return url ?? stack?.callFrames.find((frame) => frame.url !== '')?.url ?? null;
}
