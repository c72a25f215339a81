import type { AxeCheck } from './accessibility.ts';
import type { Bytes, EpochMs, Milliseconds } from '../base/units.ts';
import type { ConsentState } from './consent.ts';
import type { PageBehaviour, ReceivedFacts } from './page-details.ts';
import type { PagePicture } from './page-pictures.ts';
import type { FoundLink } from './link.ts';
import type { TruncationCause } from './truncation.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** Why a page counted as done (design/rendering, "Real time"). */
type SettleReason = 'quiet' | 'timer-drained' | 'timeout' | 'load' | 'not-rendered';

export interface IdleResult {
  readonly reason: SettleReason;
  /** Requests that were still under way: their URLs with their class, e.g. `eventsource https://…`. At most 20. */
  readonly pending: readonly string[];
}

/** Milliseconds of each part of a visit. */
export interface VisitTiming {
  /** From the lease to the start of the navigation. */
  readonly wait: Milliseconds;
  readonly ttfb: Milliseconds;
  readonly load: Milliseconds;
  readonly settle: Milliseconds;
  readonly total: Milliseconds;
}

/** Response headers with lower-case names, in the order received; a name may recur. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Errors inside the page; the counts are whole, the samples at most 20 each. */
export interface PageProblems {
  readonly console: number;
  readonly exceptions: number;
  readonly failedRequests: number;
}

/** An answer in JSON to a GET request of a page's scripts. */
export interface PageAnswer {
  /** As it was asked for. */
  readonly url: string;
  readonly text: string;
}

/** All that one visit brought home. Everything in it comes from the page or its server, and has passed validation. */
export interface Page {
  readonly url: CanonicalUrl;
  /** Where redirects inside the browser and the page's own history led; may carry a fragment. */
  readonly finalUrl: string;
  readonly status: number;
  readonly headers: Headers;
  /** The media type alone, lower case, without parameters; empty where none was sent. */
  readonly contentType: string;
  /** Of the document as received, decoded. */
  readonly bytes: Bytes;
  /** Why the document broke off; null where it came to its end. */
  readonly truncated: TruncationCause | null;
  readonly startedAt: EpochMs;
  readonly rendered: boolean;
  readonly timing: VisitTiming;
  readonly settle: IdleResult;
  /** Null or left out where nobody looked for a consent dialog. */
  readonly consent?: ConsentState | null;
  /** Rendered, its scripts ran, and after a longer wait there was still nothing to see: no text, link, picture or control. */
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
  /** In each window, the usual one first; left out where `screenshot` is all. */
  readonly pictures?: readonly PagePicture[];
  readonly foundLinks: readonly FoundLink[];
  /** Found links that were there, before the cut at 10,000. */
  readonly foundLinksTotal: number;
  readonly problems: PageProblems;
  /** Left out where it was not rendered, or the crawl is not audited. */
  readonly behaviour?: PageBehaviour;
  /** What axe-core said of it; null or left out where it was not asked. */
  readonly axe?: AxeCheck | null;
  /** Of the document before scripts ran; its HTML where nobody has read it yet. Left out where that is not known. */
  readonly received?: ReceivedFacts | string;
  /** The same document read without a browser, as an earlier visit recorded it; only of a visit that is made again. */
  readonly firstRead?: Page;
  /** Answers that its scripts asked for; only of a rendered page whose document was read without a browser, too, and within that comparison. */
  readonly jsonAnswers?: readonly PageAnswer[];
  /** Did it show that it was loaded signed in? Left out where nobody can tell, or asked. */
  readonly signedIn?: boolean;
  /** Parts that could not be read to their end, and why; left out where all could. */
  readonly unread?: readonly string[];
}
