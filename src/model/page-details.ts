/**
 * Details that a crawl for an audit records of a captured page, beside its line of pages.jsonl: a line of details.jsonl (docs/crawl-folder.md).
 * Texts come from pages and are cut when they are read. Values of cookies, headers and storages are never recorded, except those of
 * {@link DETAILED_HEADERS}.
 */
import type { AxeCheck } from './accessibility.ts';

/** Party of a request or a cookie: `third` where it goes to another registrable domain, or a script from another one caused it. */
export const PARTIES = ['first', 'third'] as const;
export type Party = (typeof PARTIES)[number];

/** Document headers that are kept, in lower case. */
export const DETAILED_HEADERS = [
  'strict-transport-security',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cache-control',
  'expires',
  'etag',
  'last-modified',
  'vary',
  'content-encoding',
  'content-length',
  'content-type',
  'server',
] as const;

/** Longest value of a header that is kept. A policy may be longer; its beginning identifies it. */
export const DETAILED_HEADER_LENGTH = 2000;

/** Count of all items, and a list of the first of them. */
export interface Sample<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** A message of the console, an exception, a deprecation. */
export interface PageMessage {
  readonly text: string;
  /** URL of the script; null where the browser does not tell. */
  readonly source: string | null;
}

export interface FailedRequest {
  readonly url: string;
  readonly method: string;
  /** `script`, `image`, `fetch` … */
  readonly type: string;
  /** Null where no answer came, or not all of it. */
  readonly status: number | null;
  /** The browser's error name: `net::ERR_NAME_NOT_RESOLVED`; null where an answer came to its end. */
  readonly error: string | null;
  readonly party: Party;
  /** The script or document that made the request; null where that is not known. */
  readonly initiator: string | null;
}

export interface RequestTotals {
  readonly count: number;
  /** Bytes over the wire; none for files from the browser's cache. */
  readonly wire: number;
  /** Bytes of the bodies, unpacked. */
  readonly decoded: number;
}

export interface LoadedFile {
  readonly url: string;
  readonly type: string;
  readonly wire: number;
  readonly decoded: number;
}

export interface ShownImage {
  readonly url: string;
  /** Size of the picture in pixels, and the size at which it is shown. */
  readonly width: number;
  readonly height: number;
  readonly shownWidth: number;
  readonly shownHeight: number;
  /** Bytes of its file; 0 where that is not known. */
  readonly bytes: number;
  readonly party: Party;
}

export interface CookieFacts {
  readonly name: string;
  readonly domain: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Null where the site sets none. */
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null;
  readonly party: Party;
}

/** A host of another registrable domain that the page sent requests to. */
export interface ThirdPartyHost {
  readonly host: string;
  readonly requests: number;
  readonly wire: number;
  /** Initiators of the first request there, without the page: URLs of scripts, frames, sheets; at most 5. */
  readonly chain: readonly string[];
}

export interface CspViolation {
  readonly directive: string;
  /** The blocked resource: a URL, or `inline`, `eval`, `trusted-types-sink`, `trusted-types-policy`. */
  readonly blocked: string;
  readonly reportOnly: boolean;
  readonly source: string | null;
}

/** The connection to the page's host, as the browser saw it. */
export interface TlsFacts {
  readonly protocol: string;
  readonly issuer: string;
  /** Whole days from the visit until the certificate expires. */
  readonly daysLeft: number;
  /** Days from its beginning to its end; left out in older crawls. */
  readonly lifetime?: number | undefined;
}

/** State when the crawl answered a consent dialog, before any consent. */
export interface BeforeConsent {
  /** Hosts of other registrable domains that had received requests. */
  readonly hosts: readonly string[];
  /** Names of stored cookies. */
  readonly cookies: readonly string[];
}

/** Observations of a browser while it showed the page, until the page was read. */
export interface PageBehaviour {
  readonly exceptions: Sample<PageMessage>;
  readonly consoleErrors: Sample<PageMessage>;
  readonly consoleWarnings: Sample<PageMessage>;
  readonly failed: Sample<FailedRequest>;
  readonly cspViolations: Sample<CspViolation>;
  readonly deprecations: Sample<PageMessage>;
  /** Totals by resource type. */
  readonly requests: Readonly<Record<string, RequestTotals>>;
  readonly largest: readonly LoadedFile[];
  /** Text files of the site itself sent without a content encoding. */
  readonly uncompressed: Sample<LoadedFile>;
  /** Scripts, sheets, pictures and fonts of the site itself whose answers have no caching headers. */
  readonly uncached: Sample<LoadedFile>;
  /** Scripts of other registrable domains. */
  readonly scripts: Sample<LoadedFile>;
  readonly thirdParties: Sample<ThirdPartyHost>;
  /** Images that are much larger than they are shown. */
  readonly images: Sample<ShownImage>;
  /** Addresses of images without width and height that cause no layout shift: style sets their place, or they are not shown. */
  readonly steadyImages: readonly string[];
  /** Is that list cut? Then it says nothing of the images that it lacks. Left out: no. */
  readonly steadyImagesCut?: boolean | undefined;
  /** Loaded font families. */
  readonly fonts: readonly string[];
  /** Cookies in the storage of its registrable domain at that moment. */
  readonly cookies: Sample<CookieFacts>;
  /** Null where no consent dialog was answered. */
  readonly beforeConsent: BeforeConsent | null;
  /** Numbers of keys in its storages; null where it may have none. */
  readonly storage: { readonly local: number; readonly session: number } | null;
  /** Null where the page has no TLS, is read from an archive, or came from a cache entirely. */
  readonly tls: TlsFacts | null;
}

/** The document as it was received, before any script ran. */
export interface ReceivedFacts {
  readonly title: string;
  readonly canonical: string | null;
  readonly robots: readonly string[];
  readonly words: number;
  /** Distinct addresses of its anchors. */
  readonly links: number;
}

/** A line of details.jsonl. */
export interface PageDetails {
  readonly url: string;
  readonly rendered: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null where it was not seen; for a page that was not rendered, the facts of the page itself. */
  readonly received: ReceivedFacts | null;
  /** Null where it was not rendered. */
  readonly behaviour: PageBehaviour | null;
  /** Null where axe-core was not run on it. */
  readonly axe: AxeCheck | null;
}
