/**
 * Plain HTTP without a browser, through the egress gate: robots.txt, sitemaps, documents that need no rendering. Every answer or failure of
 * a server is an outcome; decoded bytes and time are limited.
 */
import { request, type Dispatcher } from 'undici';
import { linkedAbort, type LinkedAbort } from '../base/linked-abort.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { mebibytes, seconds, type Bytes, type Milliseconds } from '../base/units.ts';
import { EgressError } from '../egress/egress-error.ts';
import type { Egress } from '../egress/egress.ts';
import { detailOf, networkFailureOf } from '../egress/network-failure.ts';
import type { Headers } from '../model/page.ts';
import type { Truncation } from '../model/truncation.ts';
import { headersFor, NO_USER_HEADERS, type UserHeaders } from '../model/user-headers.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';
import { decodersFor, readBody } from './body.ts';
import { headerText } from './header-text.ts';

export interface FetchRequest {
  /** http or https; userinfo and fragment are not sent. */
  readonly url: string;
  readonly userAgent: string;
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD';
  /** The user's headers; each hop gets those meant for its origin. Default: none. */
  readonly headers?: UserHeaders;
  /** Accept header. Default: anything. */
  readonly accept?: string;
  /** Accept-Language header, where the user names none. Default: no such header. */
  readonly language?: string;
  /** Limit of the decoded body; bytes beyond it are not read. */
  readonly byteLimit: Bytes;
  /** Time limit for everything: all hops, heads and the body. */
  readonly timeout: Milliseconds;
  readonly redirects: 'follow-up-to-5' | 'none';
  /** Time limit for an answer's head; default 20 s. */
  readonly headTimeout?: Milliseconds;
  /** Longest pause within a body; default 30 s. */
  readonly stallTimeout?: Milliseconds;
}

export type FetchResult =
  | {
      readonly kind: 'answer';
      /** The final status; that of a redirect where redirects are not followed, or were too many. */
      readonly status: number;
      readonly headers: Headers;
      readonly body: Uint8Array;
      /** Reason why the body is incomplete; null where it is complete. */
      readonly truncated: Truncation | null;
      readonly finalUrl: string;
    }
  | { readonly kind: 'failed'; readonly failure: NetworkFailure; readonly detail: string; readonly url: string }
  /** `url` is the hop whose address was refused. */
  | { readonly kind: 'blocked'; readonly detail: string; readonly url: string };

/** RFC 9309 section 2.3.1.2 asks for at least five. */
const FETCH_REDIRECT_LIMIT = 5;
/** Limits for slow senders (hostile F31). */
const HEAD_TIMEOUT = seconds(20);
const STALL_TIMEOUT = seconds(30);
/** Most bytes of a document, whatever limit the caller gives. */
const BYTE_CEILING = mebibytes(64);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches one document. Never throws because of a server. @throws the signal's reason */
export async function fetchBytes(
  asked: FetchRequest,
  egress: Pick<Egress, 'dispatcher'>,
  signal: AbortSignal,
): Promise<FetchResult> {
  signal.throwIfAborted();
  using late = linkedAbort(signal);
  using _end = endAfter(late, asked.timeout);
  const fetching: Fetching = { asked, dispatcher: egress.dispatcher, stop: late.signal };
  let url = readHttpUrl(asked.url);
  if (url === null) return failed('bad-response', 'not an http(s) URL', asked.url);
  for (let hops = 0; ; hops += 1) {
    // a hop is only known after the previous one has answered
    const result = await fetchOnce(url, fetching, hops < FETCH_REDIRECT_LIMIT);
    signal.throwIfAborted();
    if (result.kind !== 'redirect') return result;
    const next = readHttpUrl(result.location, url);
    if (next === null) return failed('bad-response', `redirects to what is no http(s) URL`, url.href);
    url = next;
  }
}

interface Fetching {
  readonly asked: FetchRequest;
  readonly dispatcher: Dispatcher;
  /** Aborts when the overall time is over, or with the caller's signal. */
  readonly stop: AbortSignal;
}

function endAfter(late: LinkedAbort, time: Milliseconds): Disposable {
  const timer = setTimeout(() => late.abort(new DOMException('the answer is late', 'TimeoutError')), time);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

type Hop = FetchResult | { readonly kind: 'redirect'; readonly location: string };

async function fetchOnce(url: URL, { asked, dispatcher, stop }: Fetching, mayFollow: boolean): Promise<Hop> {
  try {
    const response = await request(url, {
      dispatcher,
      method: asked.method ?? 'GET',
      signal: stop,
      headersTimeout: asked.headTimeout ?? HEAD_TIMEOUT,
      bodyTimeout: asked.stallTimeout ?? STALL_TIMEOUT,
      headers: {
        'user-agent': asked.userAgent,
        accept: asked.accept ?? '*/*',
        'accept-encoding': 'gzip, br',
        ...(asked.language === undefined ? {} : { 'accept-language': asked.language }),
        ...lowerCased(headersFor(url.href, asked.headers ?? NO_USER_HEADERS)),
      },
    });
    response.body.on('error', () => {}); // whether read or not, an error must not end the process
    const headers = headersOf(response.headers);
    const location = valueOf(headers, 'location');
    if (asked.redirects !== 'none' && mayFollow && REDIRECTS.has(response.statusCode) && location !== null) {
      response.body.destroy();
      return { kind: 'redirect', location };
    }
    const answer = { kind: 'answer', status: response.statusCode, headers, finalUrl: url.href } as const;
    const decoders = decodersFor(valueOf(headers, 'content-encoding') ?? '');
    if (decoders === null) {
      response.body.destroy();
      // the status of a failure counts, whatever its body holds
      if (answer.status >= 300) return { ...answer, body: new Uint8Array(), truncated: 'encoding' };
      return failed('bad-response', 'a content encoding that was not asked for', url.href);
    }
    const limit = Math.min(asked.byteLimit, BYTE_CEILING);
    return { ...answer, ...(await readBody(response.body, decoders, { kept: limit }, stop)) };
  } catch (error) {
    if (stop.aborted) return failed('timeout', `no answer within ${asked.timeout} ms`, url.href);
    if (error instanceof EgressError) return { ...error.failure, url: url.href };
    return failed(networkFailureOf(error), detailOf(error), url.href);
  }
}

/** Parses a URL and checks its scheme, at every hop; removes credentials and fragment. */
function readHttpUrl(text: string, base?: URL): URL | null {
  const url = parsedUrl(text, base?.href);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

/** A header in two spellings would be sent twice. */
function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.entries(raw).flatMap(([name, value]): (readonly [string, string])[] => {
    if (value === undefined) return [];
    return [value].flat().map((each) => [name, headerText(name, each)]);
  });
}

function valueOf(headers: Headers, name: string): string | null {
  return headers.find(([each]) => each === name)?.[1] ?? null;
}

function failed(failure: NetworkFailure, detail: string, url: string): FetchResult {
  return { kind: 'failed', failure, detail, url };
}
