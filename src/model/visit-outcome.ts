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

/** The body of an answer that is no page, or of the document that came with a redirect or an error, as far as it was read, for the links in it. */
export interface FileBody {
  /** As received, decoded by its Content-Encoding; a file packed by gzip is unpacked. */
  readonly bytes: Uint8Array;
  /** Why there is more of it than was read; null where this is all. */
  readonly truncated: Truncation | null;
}

/** Why no answer came. `core/politeness/backoff.ts` says for each what happens next. */
export type NetworkFailure =
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'proxy'
  | 'bad-response'
  /** The request itself was refused for its size: cookies without end. */
  | 'request-too-large'
  /** robots.txt is answered by 5xx or 429: everything is forbidden for now (RFC 9309 section 2.3.1.3). */
  | 'robots'
  | 'other';

/** Every way in which a visit can end. Expected endings are values; only surprises are thrown. */
export type VisitOutcome =
  | { readonly kind: 'captured'; readonly page: Page }
  /** The server sends the visitor elsewhere; the target is a visit of its own, under its own host's rules. */
  | { readonly kind: 'redirected'; readonly answer: Answer; readonly location: string; readonly body?: FileBody }
  /** An answer that is no HTML; with its body where files of its type hold links. */
  | { readonly kind: 'not-html'; readonly answer: Answer; readonly body?: FileBody }
  /** Status 400 and above, but those of `throttled`. */
  | { readonly kind: 'http-error'; readonly answer: Answer; readonly body?: FileBody }
  /** 429 or 503: the host wants to be left alone; retryAfter null where it does not say for how long. */
  | { readonly kind: 'throttled'; readonly answer: Answer; readonly retryAfter: Milliseconds | null }
  | {
      readonly kind: 'unreachable';
      readonly failure: NetworkFailure;
      readonly detail: string;
      /** Where its robots.txt was answered so. */
      readonly retryAfter?: Milliseconds;
    }
  | { readonly kind: 'timed-out'; readonly detail: string }
  /** `final` where it would end no better if it were visited again; `memory`: it took more than a page may, and so would the next try. */
  | { readonly kind: 'crashed'; readonly detail: string; readonly final?: true; readonly memory?: boolean }
  /** robots.txt forbids it; `line` is the rule that decided, or why there are no rules. */
  | { readonly kind: 'disallowed'; readonly line: string }
  | { readonly kind: 'blocked-address'; readonly detail: string }
  | { readonly kind: 'too-large'; readonly detail: string }
  /** It ends the sign-in of the crawl, as its visits have shown; `rule` says how. */
  | { readonly kind: 'signs-out'; readonly rule: string };

export type VisitOutcomeKind = VisitOutcome['kind'];
