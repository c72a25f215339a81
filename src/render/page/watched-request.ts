/** One request of a page, as the protocol's Network events describe it. */
import type { EventOf } from '../../../browsers/protocol/session.ts';
import { cutText } from '../../base/cut-text.ts';
import type { Milliseconds } from '../../base/units.ts';
import { requestOperation, type RequestOperation } from '../../core/requests/request-operation.ts';
import { URL_LENGTH } from '../page-limits.ts';

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
  /** Finished or failed. */
  readonly ended: boolean;
  readonly frameId: string | null;
  /** Equal for requests that ask the very same thing again; null where that cannot be known. */
  readonly again: string | null;
  /** Equal for requests that do the same for other things. */
  readonly operation: string;
  /** When it began; on the monotonic clock. */
  readonly begunAt: Milliseconds;
  /** Did the answer say how long its body is? A server that does has the body at hand. */
  readonly hasLength: boolean;
  /** When the head of its answer came; on the monotonic clock, null before. */
  readonly answeredAt: Milliseconds | null;
  /** When the page last took some of its body; on the monotonic clock, null before. */
  readonly takenAt: Milliseconds | null;
}

/** A request whose fields the log of requests may change. */
export type RequestEntry = {
  -readonly [Field in Exclude<keyof WatchedRequest, KeyName>]: WatchedRequest[Field];
} & Pick<WatchedRequest, KeyName>;

type KeyName = 'again' | 'operation';

/** Classes that may last for ever, and whose end no page waits for. */
export const STREAMS: ReadonlySet<string> = new Set([
  'eventsource',
  'websocket',
  'ping',
  'media',
  'cspviolationreport',
]);
/** Classes whose opening a page waits for: it may go on from there as from an answer. */
export const OPENED: ReadonlySet<string> = new Set(['eventsource', 'websocket']);
/** Classes that bring content: documents of frames, scripts, sheets that scripts wait for, data. */
const CONTENT: ReadonlySet<string> = new Set(['document', 'script', 'stylesheet', 'fetch', 'xhr']);

/** Is it a stream or a socket that has not been answered yet? */
export function isOpening({ type, status, ended }: WatchedRequest): boolean {
  return OPENED.has(type) && status === null && !ended;
}

/** Was it asked for by `fetch` or XMLHttpRequest? */
export function isData({ type }: Pick<WatchedRequest, 'type'>): boolean {
  return type === 'fetch' || type === 'xhr';
}

/** May its answer bring content? Pictures, fonts and streams bring none that holds links. */
export function bringsContent({ type }: WatchedRequest): boolean {
  return CONTENT.has(type);
}

/** Has it been answered, and not with an error? */
export function isAnswered({ ended, status }: WatchedRequest): boolean {
  return ended && status !== null && status < 400;
}

/** When the page last read some of a body that comes to an end; a stream of events that a script reads never does. */
export function lastReadAt({ contentType, takenAt }: WatchedRequest): Milliseconds | null {
  return contentType === 'text/event-stream' ? null : takenAt;
}

export type Begun = EventOf<'Network.requestWillBeSent'>;

interface Asked {
  readonly requestId: string;
  readonly request: Pick<Begun['request'], 'url' | 'method' | 'postData' | 'hasPostData'>;
  readonly initiator: Begun['initiator'];
  readonly frameId?: string | undefined;
}

/** @param type the protocol's resource type in lower case */
export function requestEntry(
  { requestId, request, initiator, frameId }: Asked,
  type: string,
  now: Milliseconds,
): RequestEntry {
  const method = cutText(request.method, 20);
  const url = cutText(request.url, URL_LENGTH);
  const hasBody = request.hasPostData === true || request.postData !== undefined;
  const sent = { method, url, body: request.postData ?? null, hasBody };
  let keys: RequestOperation | null = null;
  return {
    id: requestId,
    url,
    method,
    type,
    status: null,
    contentType: null,
    initiator: initiator.type === 'parser' || initiator.type === 'script' ? initiator.type : 'other',
    ended: false,
    frameId: frameId ?? null,
    // made on demand: most requests never need them
    get again() {
      return (keys ??= requestOperation(sent)).again;
    },
    get operation() {
      return (keys ??= requestOperation(sent)).operation;
    },
    begunAt: now,
    hasLength: false,
    answeredAt: null,
    takenAt: null,
  };
}

/** A request as the record names it: `fetch https://example.org/api`. */
export function requestName({ type, url }: WatchedRequest): string {
  return `${type} ${url.slice(0, 500)}`;
}
