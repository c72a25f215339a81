/**
 * The lines of a crawl folder (docs/crawl-folder.md, "The crawl folder"), read by people and scripts. Names and types are a contract.
 */
import type { ConsentState } from './consent.ts';
import type { LinkKind } from './link-kinds.ts';
import type { LinkConfidence, LinkStage } from './link.ts';
import type { TruncationCause } from './truncation.ts';

/** `outcome` of pages.jsonl. A page throttled up to its last try is an http-error. */
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

/** Place of one record: a file relative to the crawl folder, and the bytes of the member that holds it. */
export interface ArchivedRecord {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** The document as received, and the files derived from it; each null or missing where it is not archived. */
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
  /** Reason why its body is cut short, at the last try; null where it is whole or there is none. */
  readonly truncated: TruncationCause | null;
  readonly depth: number;
  readonly referrer: string | null;
  readonly attempt: number;
  /** Confidence of the link that led here: `low` for a speculative link, whose 404 says nothing about the site. */
  readonly confidence: LinkConfidence;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly rendered: boolean;
  /** It was first only read, then visited again with a browser: this line replaces the earlier one. Else left out. */
  readonly again?: true | undefined;
  readonly timing: {
    readonly wait: number;
    readonly ttfb: number;
    readonly load: number;
    readonly settle: number;
    readonly total: number;
  } | null;
  readonly settle: { readonly reason: string; readonly pending: readonly string[] };
  /** Its scripts ran, and even after a longer wait it showed nothing. */
  readonly empty: boolean;
  /** State of its consent dialog; null where none was searched for. */
  readonly consent: ConsentState | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly canonical: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Further facts from processors: `width` and `height` of a picture, `pages` of a PDF; empty where there are none. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly words: number | null;
  readonly robots: readonly string[];
  /** Rule of robots.txt for the URL at its visit: `Allow: /a (line 3)`, `no rule matches`; null where robots.txt was not asked for. */
  readonly robotsRule: string | null;
  /** Time of its last change by its server's word, ISO 8601; null where that is not known. */
  readonly lastModified: string | null;
  /** `sha256:` and the hexadecimal digest of the normalised text. */
  readonly digest: string | null;
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  readonly credit: { readonly cash: number; readonly history: number; readonly importance: number };
  /** Counts of lines of links.jsonl without those of kind `robots`: they lead to pages, made a URL known, or name parts. */
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
    /** Digest (`sha256:` and hexadecimal) of each of these files' bytes, by the field names above; only where there are files. */
    readonly digests?: Readonly<Record<string, string>> | undefined;
    readonly warc: ArchivedPage | null;
    /** Files that snapshot writers of extensions stored, by the names that they gave; only where there are any. */
    readonly extra?: Readonly<Record<string, string>> | undefined;
  };
  /** Did the page show that it was loaded signed in? Only where `--signed-in` says how to tell, for pages of a signed-in domain. */
  readonly signedIn?: boolean | undefined;
  /** Reason of the outcome, for people: the network error, the robots line. */
  readonly detail: string | null;
  /** Written by `orbweaver links --rank`; null for pages not captured, missing before. */
  readonly rank?: PageRank | null | undefined;
}

/** Ranks of a captured page, computed from the crawl's links. */
export interface PageRank {
  /** Sums to 1 over all pages. */
  readonly pageRank: number;
  /** Hub score; the vector over all pages has length 1 (L2), as that of authorities. */
  readonly hub: number;
  readonly authority: number;
  /** Rank of its registrable domain; sums to 1 over all domains. */
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
  /** True if this link made the URL known to the crawl; false for parts of a page, which are never visited. */
  readonly new: boolean;
}

/**
 * Why a URL is not visited. What a new reason needs: its words (the compiler asks), docs/crawl-folder.md and schemas/expected.schema.json (tests
 * ask), and three decisions that nobody asks for: may another link still lead to the URL (DEFERRABLE in frontier/lua/includes/admission.lua)?
 * Is such a URL no growth of a space (NEVER_FOLLOWED in frontier/lua/commit.lua and frontier/parts/links-elsewhere.ts)? Does it leave an audit
 * incomplete (audit/coverage.ts)?
 */
export const SKIP_REASONS = [
  'out-of-scope',
  'disallowed-by-robots',
  'depth',
  'limit',
  'host-limit',
  'trap',
  'nofollow',
  /** Only near-duplicate pages link to it; a link from another page would be followed. */
  'duplicate',
  'unsupported-scheme',
  'blocked-address',
  'too-long',
  /** It differs from a visited page only in parameters that change nothing, as other pages of its pattern have shown. */
  'duplicate-query',
  /** No page names it: the crawler requested it to learn how its host answers missing pages, or in search of a sitemap. */
  'probe',
  /** Only low-confidence links lead to it, and its host's speculative budget was used up, or it is no page by its name. */
  'low-confidence',
  /** It signs out, by its words or as a visit has shown, while the crawl is signed in. */
  'signs-out',
  /** A visit would delete or change something, by its address, while the crawl is signed in. */
  'acts',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface SkippedRecord {
  readonly url: string;
  readonly reason: SkipReason;
  /** The deciding rule, in words: `host is not example.org`, `Disallow: /private (line 3)`. */
  readonly rule: string;
  readonly referrer: string | null;
}

/** A URL space that seemed infinite and was not followed further: `suspectedTraps` of crawl.json. */
export interface SuspectedTrap {
  /** The pattern of its URLs: `https://example.org/calendar/0/0`. */
  readonly pattern: string;
  /** The rule that holds back its other URLs, as in skipped.jsonl. */
  readonly rule: string;
  /** Number of its pages that were fetched; redirects, failures and files are not among them. */
  readonly fetched: number;
  /** Number of its URLs that were seen but not fetched. */
  readonly held: number;
  /** Evidence from the fetched ones, in words: `48 of 50 were like pages known before`. */
  readonly why: string;
}

/** Pages whose parameters change nothing: `foldedParameters` of crawl.json. */
export interface FoldedParameters {
  /** Host and URL pattern of the pages, without parameters: `https://example.org/docs/*`. */
  readonly pattern: string;
  /** Names of the parameters. */
  readonly parameters: readonly string[];
  /** Addresses of places within pages of a hash router are folded: `#/guide?id=install`. */
  readonly hasPlaces: boolean;
  /** Number of visits with the same content as another visit of their page. */
  readonly compared: number;
  /** Number of URLs that were seen but not fetched. */
  readonly held: number;
}

/** A host given up after too many failures in a row: `hostsGivenUp` of crawl.json. */
export interface GivenUpHost {
  /** Scheme, name and port. */
  readonly host: string;
  /** Number of failures in a row. */
  readonly failures: number;
  /** Number of its URLs still to be visited. */
  readonly queued: number;
  /** The last failure, in words. */
  readonly why: string;
}

/** Outcomes that do not count as failures of the page. */
const GOOD: ReadonlySet<RecordOutcome> = new Set(['captured', 'redirected', 'not-html']);

export function isFailure(outcome: RecordOutcome): boolean {
  return !GOOD.has(outcome);
}

/** Does a page with this outcome count for page limits? A redirect does not: its target is a page of its own. */
export function countsForLimit(outcome: RecordOutcome): boolean {
  return outcome !== 'redirected';
}
