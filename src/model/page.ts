import type { AxeCheck } from './accessibility.ts';
import type { Bytes, EpochMs, Milliseconds } from '../base/units.ts';
import type { ConsentState } from './consent.ts';
import type { PageBehaviour, ReceivedFacts } from './page-details.ts';
import type { UnusedControls } from './page-actions.ts';
import type { PagePicture } from './page-pictures.ts';
import type { FoundLink } from './link.ts';
import type { TruncationCause } from './truncation.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** Reason why a page counted as done (design/rendering, "Real time"). */
type SettleReason = 'quiet' | 'timer-drained' | 'timeout' | 'load' | 'not-rendered';

export interface IdleResult {
  readonly reason: SettleReason;
  /** Requests still open: their URLs with their class, e.g. `eventsource https://…`. At most 20. */
  readonly pending: readonly string[];
}

/** Milliseconds of each part of a visit. */
export interface VisitTiming {
  /** Time from the lease to the start of the navigation. */
  readonly wait: Milliseconds;
  readonly ttfb: Milliseconds;
  readonly load: Milliseconds;
  readonly settle: Milliseconds;
  readonly total: Milliseconds;
}

/** Response headers with lower-case names, in the order received; a name may recur. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Errors inside the page; counts are complete, samples hold at most 20 each. */
export interface PageProblems {
  readonly console: number;
  readonly exceptions: number;
  readonly failedRequests: number;
}

/** A JSON answer to a GET request of a page's scripts. */
export interface PageAnswer {
  /** URL as requested. */
  readonly url: string;
  readonly text: string;
}

/** Result of one visit. All of it comes from the page or its server, and is validated. */
export interface Page {
  readonly url: CanonicalUrl;
  /** Final URL after redirects in the browser and the page's own history changes; may have a fragment. */
  readonly finalUrl: string;
  readonly status: number;
  readonly headers: Headers;
  /** The media type alone, lower case, without parameters; empty where none was sent. */
  readonly contentType: string;
  /** Bytes of the document as received, decoded. */
  readonly bytes: Bytes;
  /** Reason why the document is cut short; null where it is complete. */
  readonly truncated: TruncationCause | null;
  readonly startedAt: EpochMs;
  readonly rendered: boolean;
  readonly timing: VisitTiming;
  readonly settle: IdleResult;
  /** Null or left out where no consent dialog was searched for. */
  readonly consent?: ConsentState | null;
  /** The page was rendered, its scripts ran, and after a longer wait it still showed nothing: no text, link, picture or control. */
  readonly empty: boolean;
  readonly title: string;
  readonly description: string | null;
  readonly canonical: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Union of meta robots and X-Robots-Tag, lower case. */
  readonly robots: readonly string[];
  /** The DOM after it settled, serialised; null where the page is not HTML. */
  readonly html: string | null;
  /** Visible text; null where the page is not HTML. */
  readonly text: string | null;
  readonly screenshot: Uint8Array | null;
  /** Pictures per viewport, the usual one first; left out where `screenshot` is the only one. */
  readonly pictures?: readonly PagePicture[];
  readonly foundLinks: readonly FoundLink[];
  /** Number of found links before the cut at 10,000, the same one perhaps twice where there was a cut. */
  readonly foundLinksTotal: number;
  readonly problems: PageProblems;
  /** Left out where the page was not rendered, or the crawl is not audited. */
  readonly behaviour?: PageBehaviour;
  /** Result of axe-core; null or left out where it was not run. */
  readonly axe?: AxeCheck | null;
  /** Facts of the document before scripts ran, or its HTML where it has not been read yet. Left out where neither is known. */
  readonly received?: ReceivedFacts | string;
  /** The same document read without a browser, as an earlier visit recorded it; only on a repeated visit. */
  readonly firstRead?: Page;
  /** Answers to its scripts; only for a rendered page that was also read without a browser, and only within that comparison. */
  readonly jsonAnswers?: readonly PageAnswer[];
  /** Did the page show that it was loaded signed in? Left out where that cannot be told, or was not checked. */
  readonly signedIn?: boolean;
  /** Parts that could not be read completely, and why; left out where there are none. */
  readonly unread?: readonly string[];
  /** The same of answers to its scripts and markup, which were read for links alone: the page itself is whole. */
  readonly unreadAnswers?: readonly string[];
  /** Left out where no control was left unused for want of time or actions. */
  readonly unusedControls?: UnusedControls;
}
