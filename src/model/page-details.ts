/**
 * What a crawl for an audit records of a captured page beside its line of pages.jsonl: a line of details.jsonl (docs/crawl-folder.md). Texts come
 * from pages: they are cut where they are taken, and cookies, headers and storages never with their values but for those of
 * {@link DETAILED_HEADERS}.
 */
import type { AxeCheck } from './accessibility.ts';

/** Whose a request is, or a cookie: `third` where it goes to another registrable domain, or a script of another one asked for it. */
export const PARTIES = ['first', 'third'] as const;
export type Party = (typeof PARTIES)[number];

/** Headers of a document that are kept, in lower case. */
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

/** All are counted, the first of them listed. */
export interface Sample<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** A message of the console, an exception, a deprecation. */
export interface PageMessage {
  readonly text: string;
  /** Of the script; null where the browser does not say. */
  readonly source: string | null;
}

export interface FailedRequest {
  readonly url: string;
  readonly method: string;
  /** `script`, `image`, `fetch` … */
  readonly type: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The browser's word: `net::ERR_NAME_NOT_RESOLVED`; null where an answer came. */
  readonly error: string | null;
  readonly party: Party;
  /** The script or document that asked for it; null where that is not known. */
  readonly initiator: string | null;
}

export interface RequestTotals {
  readonly count: number;
  /** Bytes over the wire; nothing for what the browser had in its cache. */
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
  /** Pixels of the picture, and those at which it is shown. */
  readonly width: number;
  readonly height: number;
  readonly shownWidth: number;
  readonly shownHeight: number;
  /** Of its file; 0 where that is not known. */
  readonly bytes: number;
  readonly party: Party;
}

export interface CookieFacts {
  readonly name: string;
  readonly domain: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Null where the site says nothing. */
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null;
  readonly party: Party;
}

/** A host of another registrable domain that the page asked. */
export interface ThirdPartyHost {
  readonly host: string;
  readonly requests: number;
  readonly wire: number;
  /** What led to the first request there, the page left out: URLs of scripts, frames, sheets; at most 5. */
  readonly chain: readonly string[];
}

export interface CspViolation {
  readonly directive: string;
  /** What was blocked: a URL, or `inline`, `eval`. */
  readonly blocked: string;
  readonly reportOnly: boolean;
  readonly source: string | null;
}

/** The connection to the page's host, as the browser saw it. */
export interface TlsFacts {
  readonly protocol: string;
  readonly issuer: string;
  /** Whole days from the visit to the end of the certificate. */
  readonly daysLeft: number;
}

/** What was there when the crawl answered a consent dialog: nobody had agreed to it yet. */
export interface BeforeConsent {
  /** Hosts of other registrable domains that had been asked. */
  readonly hosts: readonly string[];
  /** Names of cookies that were held. */
  readonly cookies: readonly string[];
}

/** What a browser observed while it showed the page, up to the moment at which the page was read. */
export interface PageBehaviour {
  readonly exceptions: Sample<PageMessage>;
  readonly consoleErrors: Sample<PageMessage>;
  readonly consoleWarnings: Sample<PageMessage>;
  readonly failed: Sample<FailedRequest>;
  readonly cspViolations: Sample<CspViolation>;
  readonly deprecations: Sample<PageMessage>;
  /** By type. */
  readonly requests: Readonly<Record<string, RequestTotals>>;
  readonly largest: readonly LoadedFile[];
  /** Texts of the site itself that came without a content encoding. */
  readonly uncompressed: Sample<LoadedFile>;
  /** Scripts, sheets, pictures and fonts of the site itself whose answers say nothing of caches. */
  readonly uncached: Sample<LoadedFile>;
  /** Scripts of other registrable domains. */
  readonly scripts: Sample<LoadedFile>;
  readonly thirdParties: Sample<ThirdPartyHost>;
  /** Those that are much larger than they are shown. */
  readonly images: Sample<ShownImage>;
  /** Addresses of images without width and height that move nothing when they come: their place is given by style, or they are not shown. */
  readonly steadyImages: readonly string[];
  /** Families of fonts that were loaded. */
  readonly fonts: readonly string[];
  /** The cookies that its registrable domain's storage held then. */
  readonly cookies: Sample<CookieFacts>;
  /** Null where no consent dialog was answered. */
  readonly beforeConsent: BeforeConsent | null;
  /** Keys of its storages; null where it may have none. */
  readonly storage: { readonly local: number; readonly session: number } | null;
  /** Null where the page has none, where an archive reads it, and where all came from a cache. */
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
  /** Null where it was not seen; that of a page that was not rendered is the page itself. */
  readonly received: ReceivedFacts | null;
  /** Null where it was not rendered. */
  readonly behaviour: PageBehaviour | null;
  /** Null where axe-core was not asked about it. */
  readonly axe: AxeCheck | null;
}
