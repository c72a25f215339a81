/** Judges an answer to the main navigation, before anything of its body is read. Pure. */
import { kibibytes, mebibytes, type Bytes } from '../../base/units.ts';
import { declaredTypeOf, essenceOf } from '../../model/media-type.ts';
import type { Headers } from '../../model/page.ts';
import type { NetworkFailure } from '../../model/visit-outcome.ts';

/** Google's indexer reads the first 15 MiB of a document. */
export const DOCUMENT_LIMIT: Bytes = mebibytes(15);
const HEADER_LIMIT: Bytes = kibibytes(64);
const HEADER_FIELD_LIMIT: Bytes = kibibytes(8);
const HEADER_COUNT_LIMIT = 256;

/** Status line and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** Media type alone, lower case; empty where none was sent. */
  readonly contentType: string;
}

export type Verdict =
  | { readonly kind: 'render' }
  | { readonly kind: 'redirected'; readonly location: string }
  | { readonly kind: 'throttled'; readonly retryAfter: string | null }
  | { readonly kind: 'http-error' }
  | { readonly kind: 'not-html' }
  /** 204 and 205: a success without a body. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-large'; readonly detail: string }
  | { readonly kind: 'blocked-address'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string };

const RENDERED_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', '']);

/** Headers as the protocol gives them, lower-cased and cut to what a record may hold. */
export function answerHead(
  status: number,
  raw: readonly { readonly name: string; readonly value: string }[],
): AnswerHead {
  const headers: (readonly [string, string])[] = [];
  let size = 0;
  for (const { name, value } of raw.slice(0, HEADER_COUNT_LIMIT)) {
    const cut = value.slice(0, HEADER_FIELD_LIMIT);
    size += name.length + cut.length;
    if (size > HEADER_LIMIT) break;
    headers.push([name.toLowerCase(), cut]);
  }
  return { status, headers, contentType: essenceOf(declaredTypeOf(headers)) };
}

/** The first value of a header, or null. */
export function valueOf(headers: Headers, name: string): string | null {
  return headers.find(([known]) => known === name)?.[1] ?? null;
}

export function judgeAnswer({ status, headers, contentType }: AnswerHead): Verdict {
  const refused = valueOf(headers, 'x-orbweaver-refused');
  if (refused !== null) return { kind: 'blocked-address', detail: refused };
  const failed = valueOf(headers, 'x-orbweaver-error');
  if (failed !== null) {
    const detail = valueOf(headers, 'x-orbweaver-detail') ?? failed;
    return { kind: 'unreachable', failure: failureOfProxyWord(failed), detail };
  }
  // an empty one leads nowhere, and browsers show what comes with it: programs send it for want of an address
  const location = headers.find(([name, value]) => name === 'location' && value.trim() !== '')?.[1];
  if (status >= 300 && status < 400 && location !== undefined) return { kind: 'redirected', location };
  if (status === 429 || status === 503) return { kind: 'throttled', retryAfter: valueOf(headers, 'retry-after') };
  if (status >= 400) return { kind: 'http-error' };
  if (status === 204 || status === 205) return { kind: 'empty' };
  if (/^\s*attachment\b/i.test(valueOf(headers, 'content-disposition') ?? '')) return { kind: 'not-html' };
  if (!RENDERED_TYPES.has(contentType)) return { kind: 'not-html' };
  const length = Number(valueOf(headers, 'content-length') ?? Number.NaN);
  if (length > DOCUMENT_LIMIT) return { kind: 'too-large', detail: `content-length ${length}` };
  return { kind: 'render' };
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
