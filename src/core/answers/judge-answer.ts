/** Judges an answer to the main navigation, before anything of its body is read. Pure. */
import { kibibytes, mebibytes, type Bytes } from '../../base/units.ts';
import { declaredTypeOf, essenceOf } from '../../model/media-type.ts';
import type { Headers } from '../../model/page.ts';
import type { NetworkFailure } from '../../model/visit-outcome.ts';

/** Google's indexer reads the first 15 MiB of a document. */
export const DOCUMENT_LIMIT: Bytes = mebibytes(15);
const HEADER_LIMIT: Bytes = kibibytes(64);
const HEADER_FIELD_LIMIT: Bytes = kibibytes(8);

/** Status line and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** Media type alone, lower case; empty where none was sent, or one that says nothing. */
  readonly contentType: string;
}

export type Verdict =
  | { readonly kind: 'render' }
  | { readonly kind: 'redirected'; readonly location: string }
  | { readonly kind: 'throttled'; readonly retryAfter: string | null }
  | { readonly kind: 'http-error' }
  | { readonly kind: 'not-html' }
  /** 204, 205, and a 304 that nobody asked for: an answer that has no body. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly detail: string }
  | { readonly kind: 'blocked-address'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string };

/** Types by which a server says that it does not know: browsers look at the body then, as without a type (MIME Sniffing Standard, section 7). */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['unknown/unknown', 'application/unknown']);

const RENDERED_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', '']);

/** Headers as the protocol gives them, lower-cased and cut to what a record may hold. */
export function answerHead(
  status: number,
  raw: readonly { readonly name: string; readonly value: string }[],
): AnswerHead {
  const headers: (readonly [string, string])[] = [];
  let size = 0;
  for (const { name, value } of raw) {
    const cut = value.slice(0, HEADER_FIELD_LIMIT);
    size += name.length + cut.length;
    if (size > HEADER_LIMIT) break;
    headers.push([name.toLowerCase(), cut]);
  }
  const type = essenceOf(declaredTypeOf(headers));
  return { status, headers, contentType: UNKNOWN_TYPES.has(type) ? '' : type };
}

/** The first value of a header, or null. */
export function valueOf(headers: Headers, name: string): string | null {
  return headers.find(([known]) => known === name)?.[1] ?? null;
}

/** Statuses whose answers have no body (RFC 9110 section 15). Browsers ask for no 304 here: nothing of a page is kept. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export function judgeAnswer({ status, headers, contentType }: AnswerHead): Verdict {
  const refused = valueOf(headers, 'x-orbweaver-refused');
  if (refused !== null) return { kind: 'blocked-address', detail: refused };
  const failed = valueOf(headers, 'x-orbweaver-error');
  if (failed !== null) {
    const detail = valueOf(headers, 'x-orbweaver-detail') ?? failed;
    return { kind: 'unreachable', failure: failureOfProxyWord(failed), detail };
  }
  const fault = faultOf(headers);
  if (fault !== null) return { kind: 'unreachable', failure: 'bad-response', detail: fault };
  // an empty one leads nowhere, and browsers show what comes with it: programs send it for want of an address
  const location = headers.find(([name, value]) => name === 'location' && value.trim() !== '')?.[1];
  if (status >= 300 && status < 400 && location !== undefined) return { kind: 'redirected', location };
  const retryAfter = valueOf(headers, 'retry-after');
  if (isThrottled(status, retryAfter)) return { kind: 'throttled', retryAfter };
  if (status >= 400) return { kind: 'http-error' };
  if (BODILESS.has(status)) return { kind: 'empty' };
  if (isDownload(valueOf(headers, 'content-disposition') ?? '')) return { kind: 'not-html' };
  if (!RENDERED_TYPES.has(contentType) || isTextUnsniffed(contentType, headers)) return { kind: 'not-html' };
  const length = Number(valueOf(headers, 'content-length') ?? Number.NaN);
  if (length > DOCUMENT_LIMIT) return { kind: 'too-large', detail: `content-length ${length}` };
  return { kind: 'render' };
}

/** How the value of a Retry-After begins: seconds, or the weekday of a date. */
const TIME_TO_WAIT = /^\s*(?:\d|mon|tue|wed|thu|fri|sat|sun)/i;

/** Firewalls and APIs refuse who asks too often by a 403, too. It is about the visitor, and passes, where it says when to come back. */
function isThrottled(status: number, retryAfter: string | null): boolean {
  return status === 429 || status === 503 || (status === 403 && TIME_TO_WAIT.test(retryAfter ?? ''));
}

/** The reason why browsers refuse an answer for its head; null where they read it. */
function faultOf(headers: Headers): string | null {
  for (const name of ['location', 'content-disposition']) {
    const values = new Set(headers.filter(([known]) => known === name).map(([, value]) => value));
    if (values.size > 1) return `${values.size} fields ${name} that differ`;
  }
  return null;
}

/** A disposition of any kind but `inline` is a download (RFC 6266 section 4.2); what is no word is none, as in Chromium. */
function isDownload(disposition: string): boolean {
  const kind = disposition.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(kind) && kind !== 'inline';
}

/** Without a type a body is looked at, except where the server forbids that: then it is plain text (MIME Sniffing Standard). */
function isTextUnsniffed(contentType: string, headers: Headers): boolean {
  return contentType === '' && /^\s*nosniff\s*(?:,|$)/i.test(valueOf(headers, 'x-content-type-options') ?? '');
}

const PROXY_WORDS: ReadonlySet<string> = new Set<NetworkFailure>([
  'dns',
  'refused',
  'reset',
  'tls',
  'timeout',
  'proxy',
  'bad-response',
  'request-too-large',
  'other',
]);

function isFailure(word: string): word is NetworkFailure {
  return PROXY_WORDS.has(word);
}

/** @param word of the proxy's own header `x-orbweaver-error` */
export function failureOfProxyWord(word: string): NetworkFailure {
  const name = word.trim().toLowerCase();
  return isFailure(name) ? name : 'proxy';
}
