/**
 * The lines of a crawl folder (docs/crawl-folder.md, "The crawl folder"): what people and scripts read. Names and types bind.
 */
import type { ConsentState } from './consent.ts';
import type { LinkKind } from './link-kinds.ts';
import type { LinkConfidence, LinkStage } from './link.ts';
import type { TruncationCause } from './truncation.ts';

/** `outcome` of pages.jsonl. A page that was throttled to the end of its tries is an http-error. */
export const RECORD_OUTCOMES = [
  'captured',
  'redirected',
  'not-html',
  'http-error',
  'unreachable',
  'timed-out',
  'crashed',
  'too-large',
] as const;
export type RecordOutcome = (typeof RECORD_OUTCOMES)[number];

/** Where one record lies: a file relative to the crawl folder, and the bytes of the member that holds it. */
export interface ArchivedRecord {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** The document as it was received, and what was made of it; each null or missing where it is not archived. */
export interface ArchivedPage extends ArchivedRecord {
  readonly html?: ArchivedRecord | undefined;
  readonly text?: ArchivedRecord | undefined;
  readonly screenshot?: ArchivedRecord | undefined;
}

export interface PageRecord {
  readonly url: string;
  readonly finalUrl: string;
  readonly outcome: RecordOutcome;
  /** null where no answer came. */
  readonly status: number | null;
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** Why its body broke off before its end, at the last try; null where it is whole or there is none. */
  readonly truncated: TruncationCause | null;
  readonly depth: number;
  readonly referrer: string | null;
  readonly attempt: number;
  /** Of the link that led here: `low` where it was a speculative link, whose 404 says nothing about the site. */
  readonly confidence: LinkConfidence;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly rendered: boolean;
  /** It had only been read at first, and was visited again with a browser: this line takes the place of the one before. Else left out. */
  readonly again?: true | undefined;
  readonly timing: {
    readonly wait: number;
    readonly ttfb: number;
    readonly load: number;
    readonly settle: number;
    readonly total: number;
  } | null;
  readonly settle: { readonly reason: string; readonly pending: readonly string[] };
  /** Its scripts ran, and even after a longer wait it showed nothing at all. */
  readonly empty: boolean;
  /** What became of its consent dialog; null where nobody looked for one. */
  readonly consent: ConsentState | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly canonical: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Further findings of processors: `width` and `height` of a picture, `pages` of a PDF; empty where there are none. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly words: number | null;
  readonly robots: readonly string[];
  /** The rule of robots.txt for the URL when it was visited: `Allow: /a (line 3)`, `no rule matches`; null where it was not asked. */
  readonly robotsRule: string | null;
  /** When its server says that it was changed last, ISO 8601; null where that is not known. */
  readonly lastModified: string | null;
  /** `sha256:` and the hexadecimal digest of the normalised text. */
  readonly digest: string | null;
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  readonly credit: { readonly cash: number; readonly history: number; readonly importance: number };
  /** Lines of links.jsonl that lead to pages, those of them that made a URL known, and the lines that name parts. */
  readonly links: { readonly found: number; readonly new: number; readonly parts: number };
  readonly problems: { readonly console: number; readonly exceptions: number; readonly failedRequests: number };
  readonly snapshot: {
    readonly html: string | null;
    readonly text: string | null;
    readonly screenshot: string | null;
    /** Screenshots in further windows, by `<width>x<height>`; only where there are any. */
    readonly screenshots?: Readonly<Record<string, string>> | undefined;
    /** The places of elements in the screenshots; only of a deterministic crawl. */
    readonly boxes?: string | undefined;
    /** Of these files, `sha256:` and the hexadecimal digest of their bytes, by the names of the fields above; only where there are files. */
    readonly digests?: Readonly<Record<string, string>> | undefined;
    readonly warc: ArchivedPage | null;
    /** Files that snapshot writers of extensions stored, by the names that they gave; only where there are any. */
    readonly extra?: Readonly<Record<string, string>> | undefined;
  };
  /** Did the page show that it was loaded signed in? Only where `--signed-in` says how to tell, and the page is one of a signed-in domain. */
  readonly signedIn?: boolean | undefined;
  /** Why it ended so, for people: the network error, the robots line. */
  readonly detail: string | null;
  /** Written by `orbweaver links --rank`; null for what was not captured, missing before. */
  readonly rank?: PageRank | null | undefined;
}

/** Ranks of a captured page by the links of a crawl. */
export interface PageRank {
  /** The sum over all pages is 1. */
  readonly pageRank: number;
  /** Of length 1 over all pages (L2), as are authorities. */
  readonly hub: number;
  readonly authority: number;
  /** Of its registrable domain; the sum over all domains is 1. */
  readonly site: number;
}

export interface LinkRecord {
  readonly from: string;
  readonly to: string;
  readonly href: string;
  readonly kind: LinkKind;
  readonly confidence: LinkConfidence;
  readonly context: string;
  readonly stage: LinkStage;
  readonly frame: string | null;
  readonly text: string;
  readonly rel: readonly string[];
  /** Whether this found link made the URL known to the crawl; false for parts of a page, which are never visited. */
  readonly new: boolean;
}

export const SKIP_REASONS = [
  'out-of-scope',
  'disallowed-by-robots',
  'depth',
  'limit',
  'host-limit',
  'trap',
  'nofollow',
  /** Only pages that are like others name it; another page's link would be followed. */
  'duplicate',
  'unsupported-scheme',
  'blocked-address',
  'too-long',
  /** It differs from a page that was visited in parameters that change nothing, as other pages of its pattern have shown. */
  'duplicate-query',
  /** Nobody named it: it was asked for to see how its host answers what is not there, or for a sitemap. */
  'probe',
  /** Only links of low confidence named it, and its host's speculative budget was used up. */
  'low-confidence',
  /** It signs out, by its words or as a visit has shown, and the crawl is signed in. */
  'signs-out',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface SkippedRecord {
  readonly url: string;
  readonly reason: SkipReason;
  /** The rule that decided, in words: `host is not example.org`, `Disallow: /private (line 3)`. */
  readonly rule: string;
  readonly referrer: string | null;
}

/** A space of URLs that looked like one without end and was not followed further: `suspectedTraps` of crawl.json. */
export interface SuspectedTrap {
  /** The pattern of its URLs: `https://example.org/calendar/0/0`. */
  readonly pattern: string;
  /** The rule that holds the others back, as in skipped.jsonl. */
  readonly rule: string;
  /** URLs of it that were fetched. */
  readonly fetched: number;
  /** URLs of it that were seen and not fetched. */
  readonly held: number;
  /** The evidence of those that were fetched, in words: `48 of 50 were like pages known before`. */
  readonly why: string;
}

/** Pages whose parameters change nothing: `foldedParameters` of crawl.json. */
export interface FoldedParameters {
  /** Host and URL pattern of the pages, without parameters: `https://example.org/docs/*`. */
  readonly pattern: string;
  /** Names of the parameters. */
  readonly parameters: readonly string[];
  /** The addresses of places in pages of a hash router are folded: `#/guide?id=install`. */
  readonly hasPlaces: boolean;
  /** Visits that said the same as another visit of their page. */
  readonly compared: number;
  /** URLs that were seen and not fetched. */
  readonly held: number;
}

/** A host that failed so often in a row that it was given up: `hostsGivenUp` of crawl.json. */
export interface GivenUpHost {
  /** Scheme, name and port. */
  readonly host: string;
  /** In a row. */
  readonly failures: number;
  /** URLs of it that were still to be visited. */
  readonly queued: number;
  /** The last failure, in words. */
  readonly why: string;
}

/** Outcomes that are no failure of the page. */
const GOOD: ReadonlySet<RecordOutcome> = new Set(['captured', 'redirected', 'not-html']);

export function isFailure(outcome: RecordOutcome): boolean {
  return !GOOD.has(outcome);
}

/** Does a page that ended so count for the limits of pages? What a redirect leads to is a page of its own. */
export function countsForLimit(outcome: RecordOutcome): boolean {
  return outcome !== 'redirected';
}
