/**
 * Fetches the document of a visit like a browser's navigation: one request, without following redirects; the answer is judged
 * before its body is read.
 */
import { request } from 'undici';
import { BROWSER_LANGUAGE } from '../../browsers/protocol/browser.ts';
import type { Clock } from '../base/clock.ts';
import { decodersFor } from '../base/content-coding.ts';
import { linkedAbort } from '../base/linked-abort.ts';
import type { Bytes, Milliseconds } from '../base/units.ts';
import {
  answerHead,
  DOCUMENT_LIMIT,
  judgeAnswer,
  type AnswerHead,
  type Verdict,
} from '../core/answers/judge-answer.ts';
import { hasNotice, NOTICE_LIMIT, NOTICE_TIME } from '../core/answers/notice.ts';
import { partToRead } from '../core/links/catalogue.ts';
import { EgressError } from '../egress/egress-error.ts';
import type { Egress } from '../egress/egress.ts';
import { detailOf, networkFailureOf } from '../egress/network-failure.ts';
import { endToEndHeaders } from '../egress/proxy/forwarded-headers.ts';
import { truncationCause, type Truncation, type TruncationCause } from '../model/truncation.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { FileBody, VisitOutcome } from '../model/visit-outcome.ts';
import { readBody } from './body.ts';
import { headerText } from './header-text.ts';

export interface DocumentRequest {
  readonly url: CanonicalUrl;
  readonly userAgent: string;
  /** The user's headers that are meant for the origin of this URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit for the head. */
  readonly timeout: Milliseconds;
  /** Time limit for the body: the part received by then is the document, as in a browser. */
  readonly bodyTimeout: Milliseconds;
  /** Is an answer of this media type that is no page worth reading for its links? */
  readonly wantsFile: (contentType: string, url: string) => boolean;
  /** Was the address named as a sitemap? Left out: no. */
  readonly isSitemap?: boolean;
  /** Most bytes received of an answer that is no page, for the archive; default: the part that is read. */
  readonly wholeBodies?: Bytes | null;
}

/** Detail of an answer in zstd, which browsers read and Node.js 20 does not; some servers send it to everybody. */
export const UNASKED_ZSTD = 'a body in zstd, which was not asked for';

export type DocumentAnswer =
  /** An answer whose type may be a page; the body is decoded from its content encoding, not yet from its character set. */
  | {
      readonly kind: 'document';
      readonly head: AnswerHead;
      readonly body: Uint8Array;
      /** Reason why the body is cut short; null where it is complete. */
      readonly truncated: TruncationCause | null;
      readonly at: Milliseconds;
    }
  /** Judged by its head. `at`: arrival of the head on the monotonic clock. `file`: the body of a wanted file, as far as it was read. */
  | {
      readonly kind: 'judged';
      readonly head: AnswerHead;
      readonly verdict: Verdict;
      readonly at: Milliseconds;
      readonly file: FileBody | null;
    }
  | { readonly kind: 'none'; readonly outcome: VisitOutcome };

/** Chromium's headers for a navigation by the user, so that a site answers as it answers a browser. */
const NAVIGATION_HEADERS = {
  'upgrade-insecure-requests': '1',
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': BROWSER_LANGUAGE,
} as const;

/** Headers for secure origins, which include `Sec-` headers. */
const SAFE_HEADERS = {
  ...NAVIGATION_HEADERS,
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
  'sec-fetch-dest': 'document',
} as const;
const SAFE = /^(?:https:|http:\/\/(?:127\.\d+\.\d+\.\d+|\[::1\]|(?:[^/:]+\.)?localhost)(?:[:/]|$))/;

/** Never throws because of a server. @throws the signal's reason */
export async function fetchDocument(
  asked: DocumentRequest,
  { egress, clock }: { readonly egress: Pick<Egress, 'dispatcher'>; readonly clock: Clock },
  signal: AbortSignal,
): Promise<DocumentAnswer> {
  signal.throwIfAborted();
  using late = linkedAbort(signal);
  const stop = late.signal;
  const limit = (time: Milliseconds): NodeJS.Timeout =>
    setTimeout(() => late.abort(new DOMException('the document is late', 'AbortError')), time);
  let timer = limit(asked.timeout);
  try {
    const response = await request(asked.url.replace(/#.*$/s, ''), {
      dispatcher: egress.dispatcher,
      signal: stop,
      headersTimeout: asked.timeout,
      bodyTimeout: asked.bodyTimeout,
      headers: {
        'user-agent': asked.userAgent,
        ...(SAFE.test(asked.url) ? SAFE_HEADERS : NAVIGATION_HEADERS),
        ...Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
    });
    response.body.on('error', () => {}); // whether read or not, an error must not end the process
    const at = clock.monotonic();
    clearTimeout(timer);
    timer = limit(asked.bodyTimeout);
    const head = answerHead(response.statusCode, pairsOf(response.headers));
    const judged = judgeAnswer(head);
    const { contentType } = head;
    const { url, isSitemap } = asked;
    const part = judged.kind === 'not-html' ? partToRead({ contentType, url, isSitemap }, asked.wantsFile) : null;
    const isNotice = hasNotice(head, judged);
    const isRead = judged.kind === 'render' || part !== null || isNotice;
    const decoders = isRead ? decodersFor(encodingOf(head)) : [];
    if (!isRead || decoders === null) {
      if (asked.wholeBodies) await readBody(response.body, [], { kept: 0, read: asked.wholeBodies }, stop);
      else response.body.destroy();
      signal.throwIfAborted();
      if (judged.kind === 'render')
        return unreadable(isZstd(encodingOf(head)) ? UNASKED_ZSTD : 'a content encoding that was not asked for');
      return { kind: 'judged', head, verdict: judged, at, file: null };
    }
    if (isNotice) {
      clearTimeout(timer);
      timer = limit(asked.wholeBodies ? asked.bodyTimeout : NOTICE_TIME);
    }
    const bodyLimit = isNotice
      ? { kept: NOTICE_LIMIT, read: asked.wholeBodies ?? null }
      : part !== null
        ? { kept: part, read: asked.wholeBodies ?? null }
        : { kept: DOCUMENT_LIMIT };
    const { body, truncated } = await readBody(response.body, decoders, bodyLimit, stop);
    signal.throwIfAborted();
    if (part !== null || isNotice) {
      const file = { bytes: body, truncated };
      return { kind: 'judged', head, verdict: judged, at, file };
    }
    return cutShort(truncated, body) ?? { kind: 'document', head, body, truncated: truncationCause(truncated), at };
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted)
      return { kind: 'none', outcome: { kind: 'timed-out', detail: `no answer within ${asked.timeout} ms` } };
    return { kind: 'none', outcome: failureOutcome(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Result for a cut document; null where it is usable: as in a browser, a broken or stalled connection still gives a page, and so does what
 * could be decoded.
 */
function cutShort(truncated: Truncation | null, body: Uint8Array): DocumentAnswer | null {
  switch (truncated) {
    case null:
    case 'disconnect':
    case 'time':
      return null;
    case 'encoding':
      return body.length > 0 ? null : unreadable('the body does not fit its content encoding');
    case 'length':
    case 'ratio':
      return { kind: 'none', outcome: { kind: 'too-large', detail: `the body is cut for its ${truncated}` } };
  }
}

function isZstd(contentEncoding: string): boolean {
  return contentEncoding.trim().toLowerCase() === 'zstd';
}

function unreadable(detail: string): DocumentAnswer {
  return { kind: 'none', outcome: { kind: 'unreachable', failure: 'bad-response', detail } };
}

function failureOutcome(error: unknown): VisitOutcome {
  if (error instanceof EgressError) {
    const { failure } = error;
    if (failure.kind === 'blocked') return { kind: 'blocked-address', detail: failure.detail };
    return { kind: 'unreachable', failure: failure.failure, detail: failure.detail };
  }
  return { kind: 'unreachable', failure: networkFailureOf(error), detail: detailOf(error) };
}

/** Header pairs of an answer, without those of the connection itself. */
function pairsOf(headers: Readonly<Record<string, string | string[] | undefined>>): { name: string; value: string }[] {
  const raw = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().flatMap((each) => [name, headerText(name, each)]),
  );
  const kept = endToEndHeaders(raw);
  const pairs: { name: string; value: string }[] = [];
  for (let index = 0; index + 1 < kept.length; index += 2)
    pairs.push({ name: kept[index] ?? '', value: kept[index + 1] ?? '' });
  return pairs;
}

function encodingOf({ headers }: AnswerHead): string {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join(',');
}
