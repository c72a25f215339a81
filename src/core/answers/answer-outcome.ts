/** The outcome of a visit whose answer is not read as a page; the same for the browser's and our own fetches. Pure. */
import { assertNever } from '../../base/assert-never.ts';
import { between, bytes, milliseconds, type EpochMs, type Milliseconds } from '../../base/units.ts';
import type { Page, VisitTiming } from '../../model/page.ts';
import type { Answer, FileBody, VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import type { AnswerHead, Verdict } from './judge-answer.ts';

interface AnsweredVisit {
  readonly visit: Visit;
  readonly head: AnswerHead;
  readonly startedAt: EpochMs;
  readonly timing: VisitTiming;
  /** The body, as far as it was read; only for an answer that is no page. */
  readonly body?: FileBody | undefined;
}

/**
 * @param verdict `render` here means that the browser turned the answer into a download
 * @param waitFor reads a Retry-After header; null where it names no time
 */
export function answerOutcome(
  verdict: Verdict,
  judged: AnsweredVisit,
  waitFor: (retryAfter: string | null) => Milliseconds | null,
): VisitOutcome {
  const { head, timing } = judged;
  const answer: Answer = { status: head.status, headers: head.headers, contentType: head.contentType, timing };
  const read = judged.body === undefined ? {} : { body: judged.body };
  switch (verdict.kind) {
    case 'render':
    case 'not-html':
      return { kind: 'not-html', answer, ...read };
    case 'redirected':
      return { kind: 'redirected', answer, location: verdict.location, ...read };
    case 'throttled':
      return { kind: 'throttled', answer, retryAfter: waitFor(verdict.retryAfter) };
    case 'http-error':
      return { kind: 'http-error', answer, ...read };
    case 'empty':
      return { kind: 'captured', page: emptyPage(judged) };
    case 'too-large':
    case 'blocked-address':
    case 'unreachable':
      return verdict;
    default:
      return assertNever(verdict);
  }
}

/** The page of an answer without its body: for a success without a body (204, 205). */
export function emptyPage(answer: Omit<AnsweredVisit, 'body'>): Page {
  const { visit, head, startedAt, timing } = answer;
  return {
    url: visit.url,
    finalUrl: visit.url,
    status: head.status,
    headers: head.headers,
    contentType: head.contentType,
    bytes: bytes(0),
    truncated: null,
    startedAt,
    rendered: false,
    timing,
    settle: { reason: 'not-rendered', pending: [] },
    empty: false,
    title: '',
    description: null,
    canonical: null,
    lang: null,
    h1: [],
    robots: headerRobots(head),
    html: null,
    text: null,
    screenshot: null,
    foundLinks: [],
    foundLinksTotal: 0,
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
  };
}

/** Directives with a value of their own; any other colon follows the name of a robot. */
const VALUED = /^(max-snippet|max-image-preview|max-video-preview|unavailable_after)\s*:/;

/** The directives of X-Robots-Tag for every robot. */
export function headerRobots({ headers }: AnswerHead): readonly string[] {
  return headers
    .filter(([name]) => name === 'x-robots-tag')
    .map(([, value]) => value.trim().toLowerCase())
    .filter((value) => !/^[^,]*:/.test(value) || VALUED.test(value))
    .flatMap((value) => value.split(','))
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '');
}

export interface Moments {
  readonly leasedAt: EpochMs;
  readonly startedAt: EpochMs;
  /** The other moments on the monotonic clock; null where it was not reached. */
  readonly started: Milliseconds;
  readonly answered: Milliseconds;
  readonly loaded: Milliseconds | null;
  readonly settled: Milliseconds | null;
  readonly ended: Milliseconds;
}

export function timingOf(moments: Moments): VisitTiming {
  const { started, answered, ended } = moments;
  const settled = moments.settled ?? ended;
  const loaded = moments.loaded ?? settled;
  // moments are rounded, not spans: the sum of rounded spans could exceed the whole visit
  const at = (moment: number): Milliseconds => milliseconds(Math.round(Math.max(0, moment - started)));
  return {
    wait: milliseconds(Math.round(between(moments.leasedAt, moments.startedAt))),
    ttfb: at(answered),
    load: at(loaded),
    settle: milliseconds(Math.max(0, at(settled) - at(loaded))),
    total: at(ended),
  };
}
