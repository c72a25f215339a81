/**
 * Input of the audit rules: plain facts of the pages and links of a finished crawl. Texts come from pages: they are hostile, and are cut when they
 * are read (src/audit).
 */
import type { AxeImpact, AxeNode } from './accessibility.ts';
import type { ExternalRecord } from './external-record.ts';
import type { PageDetails } from './page-details.ts';
import type { MeasuredPage } from './paint.ts';
import type { NotJudgedReason } from './finding.ts';
import type { RecordOutcome } from './record.ts';

/** Place of an element in its page. */
export interface ElementPlace {
  /** CSS selector, short and stable. */
  readonly selector: string;
  /** Its opening tag, cut. */
  readonly snippet: string;
}

/** A reference of the head: a canonical, an alternate. */
export interface HeadReference {
  /** As written. */
  readonly href: string;
  /** Canonical; null where it is no http(s) URL. */
  readonly url: string | null;
}

export interface AlternateReference extends HeadReference {
  readonly code: string;
}

export interface ImageFacts extends ElementPlace {
  /** Absolute, cut. */
  readonly src: string;
  /** It has a text alternative, or says that it needs none. */
  readonly hasAlternative: boolean;
  /** Its size is known before it is loaded, as far as the markup says. */
  readonly hasSize: boolean;
}

/** A sort of element that breaks a rule of axe-core. */
export interface AccessibilityFacts extends AxeNode {
  readonly rule: string;
  readonly impact: AxeImpact;
  /** Stable identity: the same on every page and in every crawl. */
  readonly thing: string;
  /** Its opening tag, cut. */
  readonly tag: string;
}

/** A `script` of JSON-LD. */
export interface StructuredBlock extends ElementPlace {
  /** Why it does not parse; null where it does. */
  readonly fault: string | null;
  /** The things that it names first, with their types and the properties that any block gives them; those inside of others are left out. */
  readonly things: readonly { readonly types: readonly string[]; readonly properties: readonly string[] }[];
}

/** A form that sends without encryption. */
export interface InsecureForm extends ElementPlace {
  /** Absolute, cut. */
  readonly action: string;
  readonly asksPassword: boolean;
}

/** A link with the place where it stands. */
export interface PlacedLink {
  /** Canonical. */
  readonly to: string;
  readonly selector: string;
  readonly text: string;
}

/** An element for search engines that stands in the body. */
export interface MisplacedMetadata extends ElementPlace {
  readonly kind: 'canonical' | 'alternate' | 'robots';
}

/** An address for those who show a preview of the page. */
export interface PreviewAddress extends ElementPlace {
  /** Of its meta element: `og:image`. */
  readonly name: string;
  /** As written, cut. */
  readonly href: string;
}

/** A link whose address leads nowhere, whatever answers. */
export interface MalformedLink {
  /** As written, cut. */
  readonly href: string;
  /** In words. */
  readonly fault: string;
  readonly selector: string;
  readonly text: string;
}

/** The facts kept of every page. */
export interface PageSummary {
  readonly url: string;
  readonly status: number | null;
  readonly depth: number;
  readonly judged: true | NotJudgedReason;
  readonly rendered: boolean;
  /** Something in its document could run. */
  readonly hasScripts: boolean;
  readonly title: string;
  readonly description: string | null;
  /** Of its markup, then of its Link headers. */
  readonly canonicals: readonly HeadReference[];
  /** Of its markup. */
  readonly alternates: readonly AlternateReference[];
  /** Addresses that its Link headers name as alternates, whatever their languages. */
  readonly confirmed: readonly string[];
  /** Its policy has browsers send its requests, and its forms, by https. */
  readonly upgradesRequests: boolean;
  /** Directives of meta elements and of the header; those for one robot behind its name. */
  readonly robots: readonly string[];
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  /** The captured page whose address its scripts write in place of its own, so that it is known by that one; otherwise null. */
  readonly shownAs: string | null;
}

/** A judged page, as long as it is looked at. */
export interface PageFacts extends PageSummary {
  /** The page's line of details.jsonl; null where the crawl recorded none. */
  readonly details: PageDetails | null;
  /** True where the site's own server answered; false for a folder served for the crawl, whose headers and times say nothing of the site. */
  readonly isFromServer: boolean;
  /** Milliseconds from the request to the first byte of the answer; null where that is not known. */
  readonly ttfb: number | null;
  /** How it was painted; null where it was not measured. */
  readonly paint: MeasuredPage | null;
  /** Bytes of the document, unpacked; null where that is not known. */
  readonly bytes: number | null;
  /** Count of visible words; null where they were not counted. */
  readonly words: number | null;
  /** Distinct addresses of its anchors. */
  readonly linkCount: number;
  /** Requests still open when its time was up; null where it settled. */
  readonly pending: readonly string[] | null;
  /** Forms with an http: address. */
  readonly insecureForms: readonly InsecureForm[];
  /** Links within the site whose address seems to hold a secret; `to` is the address that a browser requests. */
  readonly secretLinks: readonly PlacedLink[];
  /** Policies declared in its markup: `content-security-policy`, `referrer`. */
  readonly metaPolicies: readonly string[];
  readonly h1: readonly string[];
  /** Null where the attribute is missing. */
  readonly lang: string | null;
  /** Content of the viewport's meta element; null where there is none. */
  readonly viewport: string | null;
  /** Documents of its frames that the crawl visited on their own and that failed there: links tell of them. */
  readonly failedFrames: readonly string[];
  /** Encodings that its markup declares, as labels in lower case. */
  readonly charsets: readonly string[];
  /** The same of its server; null where that is not known. */
  readonly headerCharset: string | null;
  readonly images: readonly ImageFacts[];
  readonly structured: readonly StructuredBlock[];
  /** Empty where axe-core was not run. */
  readonly accessibility: readonly AccessibilityFacts[];
  readonly malformed: readonly MalformedLink[];
  readonly misplaced: readonly MisplacedMetadata[];
  readonly relativePreviews: readonly PreviewAddress[];
  /** Links within the site with rel=nofollow, but for those that sign out or change something. */
  readonly nofollow: readonly PlacedLink[];
}

/** How the visit of a URL ended. */
export interface TargetFacts {
  readonly url: string;
  readonly outcome: RecordOutcome;
  readonly status: number | null;
  readonly detail: string | null;
  /** Target of its redirect, which may be the URL itself; null where it does not redirect. */
  readonly redirect: string | null;
  readonly depth: number;
}

/** The pages that refer to something: all are counted, the first of them listed. */
export interface Referrers {
  readonly count: number;
  readonly first: readonly { readonly url: string; readonly selector?: string; readonly text?: string }[];
}

export interface LinkedReferrers extends Referrers {
  /** Only forms lead there: the address needs the data that they send. */
  readonly isFormAlone: boolean;
  /** Only frames lead there: it is shown in the pages. */
  readonly isFrameAlone: boolean;
}

export interface FragmentFacts extends Referrers {
  /** The page that is linked to. */
  readonly page: PageSummary;
  /** The URL in the links, if it redirects to `page`. */
  readonly target: string;
  /** Decoded, without `#`. */
  readonly fragment: string;
  /** All links to it are in the page itself. */
  readonly isOwn: boolean;
}

/** A link to another site. */
export interface ExternalFacts extends ExternalRecord {
  readonly sources: Referrers;
}

/** Facts of the whole site. URLs are canonical. */
export interface SiteFacts {
  /** Ordered by depth, then by address. */
  readonly pages: readonly PageSummary[];
  /** The crawl finished by itself, so a page that it did not see does not exist. */
  readonly isWhole: boolean;
  /** Does the URL belong to the audited site, by its host? */
  readonly isOwn: (url: string) => boolean;
  page(url: string): PageSummary | null;
  /** Null for a URL that was not visited. */
  target(url: string): TargetFacts | null;
  /** URLs that could not be reached. */
  readonly unreachable: readonly TargetFacts[];
  /** Linked URLs that a rule may examine: those that failed, redirect, or are reached by a click alone. */
  readonly linked: ReadonlyMap<string, LinkedReferrers>;
  /** URLs that `link` elements and Link headers relate to pages, and that failed or redirect; without canonical addresses and translations. */
  readonly related: ReadonlyMap<string, Referrers & { readonly relation: string }>;
  /** Pages that were found by a click or by sending a form, and by no other link. */
  readonly clickOnly: ReadonlySet<string>;
  /** Fragments without a target in their page. */
  readonly fragments: readonly FragmentFacts[];
  /** Parts that secure pages load without encryption. */
  readonly mixed: readonly (Referrers & { readonly url: string; readonly context: string })[];
  /** Links to other sites with their check results; null where they were not checked. */
  readonly external: readonly ExternalFacts[] | null;
  /** URLs in sitemaps, each with the first sitemap that names it. */
  readonly sitemapEntries: ReadonlyMap<string, string>;
  /** Does a sitemap name the URL as an alternate of a page? */
  readonly isSitemapAlternate: (url: string) => boolean;
  /** Does robots.txt forbid the URL? Of very many, the first ones are known. */
  readonly isDisallowed: (url: string) => boolean;
  /** Pages in sitemaps that no page links to. */
  readonly orphans: readonly { readonly url: string; readonly sitemap: string }[];
  /** Captured pages without a link to another page. */
  readonly deadEnds: readonly string[];
  /** Captured pages with their distance from the seeds; pages that no links lead to are left out. */
  readonly clicks: ReadonlyMap<string, number>;
}
