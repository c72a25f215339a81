import type { Milliseconds } from '../base/units.ts';
import type { Headers, Page, VisitTiming } from './page.ts';
import type { Truncation } from './truncation.ts';

/** The known facts of an answer that was not rendered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly contentType: string;
  readonly timing: VisitTiming;
}

/** The body of an answer that is no page, or of the document sent with a redirect or an error, as far as it was read; for its links. */
export interface FileBody {
  /** As received, decoded by its Content-Encoding; a gzip file is unpacked. */
  readonly bytes: Uint8Array;
  /** Reason why only a part was read; null where this is all. */
  readonly truncated: Truncation | null;
}

/** Reason why no answer came. `core/politeness/backoff.ts` says for each what happens next. */
export type NetworkFailure =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'proxy'
  | 'bad-response'
  /** The server refused the request for its size: endless cookies. */
  | 'request-too-large'
  /** robots.txt was answered with 5xx or 429: everything is forbidden for now (RFC 9309 section 2.3.1.3). */
  | 'robots'
  | 'other';

/** All possible ends of a visit. Expected ends are values; only unexpected ones are thrown. */
export type VisitOutcome =
  | {
      readonly kind: 'captured';
      readonly page: Page;
      /** Cookies of a page that only loads itself again, by name: its script may test for them. */
      readonly cookies?: ReadonlyMap<string, string>;
    }
  /** The server redirects; the target is visited separately, under its own host's rules. */
  | {
      readonly kind: 'redirected';
      readonly answer: Answer;
      readonly location: string;
      readonly body?: FileBody;
      /** Cookies that a page holds after it, by name, where the host may test for cookies; left out: those that the answer sets. */
      readonly cookies?: ReadonlyMap<string, string>;
    }
  /** The answer is not HTML; it has a body where files of its type hold links. */
  | { readonly kind: 'not-html'; readonly answer: Answer; readonly body?: FileBody }
  /** Status 400 and above, except those of `throttled`. */
  | { readonly kind: 'http-error'; readonly answer: Answer; readonly body?: FileBody }
  /** 429, 503, or 403 with a Retry-After: the host asks for a pause; retryAfter is null where it does not say how long. */
  | { readonly kind: 'throttled'; readonly answer: Answer; readonly retryAfter: Milliseconds | null }
  | {
      readonly kind: 'unreachable';
      readonly failure: NetworkFailure;
      readonly detail: string;
      /** Set where its robots.txt was answered with a Retry-After. */
      readonly retryAfter?: Milliseconds;
      /** The request for robots.txt failed: without its rules no URL of the host may be visited. */
      readonly ofRobots?: true;
    }
  | { readonly kind: 'timed-out'; readonly detail: string }
  /** `final`: another visit would end no better; `memory`: it took more memory than a page may, and the next try would, too. */
  | { readonly kind: 'crashed'; readonly detail: string; readonly final?: true; readonly memory?: boolean }
  /** robots.txt forbids it; `line` is the deciding rule, or the reason why there are no rules. */
  | { readonly kind: 'disallowed'; readonly line: string }
  | { readonly kind: 'blocked-address'; readonly detail: string }
  | { readonly kind: 'too-large'; readonly detail: string }
  /** It ends the crawl's signed-in session, as visits have shown; `rule` says how. `unasked`: it was not requested this time. */
  | { readonly kind: 'signs-out'; readonly rule: string; readonly unasked?: true };

export type VisitOutcomeKind = VisitOutcome['kind'];
