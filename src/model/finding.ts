/**
 * What an audit says of a crawl (docs/audit.md): the lines of findings.jsonl, which pages were judged, and the coverage that stands before all
 * findings. Names and types bind; reporters, gates, baselines and comparisons read nothing else.
 */
import type { AxeChoice, AxeEnd } from './accessibility.ts';
import type { PictureChange } from './picture-change.ts';
import type { Measurements } from './paint.ts';
import type { SuspectedTrap } from './record.ts';

export const SEVERITIES = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const FINDING_CONFIDENCES = ['high', 'medium', 'low'] as const;
export type FindingConfidence = (typeof FINDING_CONFIDENCES)[number];

/** What shows a finding to be true; each only where there is such a thing. Texts are those of the page, cut, and never markup to be shown as such. */
export interface Evidence {
  /** CSS selector of the element, short and stable. */
  readonly selector?: string;
  /** The element's markup, or a line of a log. */
  readonly snippet?: string;
  /** `name: value` of the answer. */
  readonly header?: string;
  /** The request that shows it: `GET https://… 404`. */
  readonly request?: string;
  /** What a comparison saw change, word by word: `[-old-] {+new+}`. */
  readonly change?: string;
  /** URLs in the order in which they lead on: redirects, canonicals. */
  readonly chain?: readonly string[];
  /** The other pages that share the defect, for duplicates. */
  readonly others?: readonly string[];
}

/** A page that shows the defect. */
export interface FindingSource {
  readonly url: string;
  readonly selector?: string;
  /** Anchor text. */
  readonly text?: string;
}

export interface Finding {
  /**
   * 16 hexadecimal digits, made of the rule, the site-relative address and the thing; never of origin, order, counts or line numbers, so that
   * it is the same in the next crawl, on another port and on a preview host.
   */
  readonly id: string;
  /** Name of the rule: `broken-link`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: FindingConfidence;
  /** The page that has the defect, the first of them by depth and then by address. */
  readonly url: string;
  /** What the page refers to, where the defect lies in a reference; else null. */
  readonly target: string | null;
  /** One sentence for people that names the thing. */
  readonly message: string;
  readonly evidence: Evidence;
  /** Findings that one change probably mends share it: rule and page template (`missing-description /blog/*`), of a layout the rule alone. */
  readonly group: string;
  /** All pages that show it are counted, the first of them listed. */
  readonly sources: { readonly count: number; readonly first: readonly FindingSource[] };
}

/** A rule as reports show it. */
export interface RuleInfo {
  /** Kebab-case. */
  readonly id: string;
  readonly severity: Severity;
  readonly category: RuleCategory;
  /** What is wrong, as a title: `Link to a page that does not exist`. */
  readonly title: string;
  /** Why it matters, in one or two sentences. */
  readonly why: string;
  /** How to mend it, in one or two sentences. */
  readonly fix: string;
  /** Standard or guideline: a URL with its name. */
  readonly source: { readonly name: string; readonly url: string };
}

export const RULE_CATEGORIES = [
  'links',
  'documents',
  'behaviour',
  'security',
  'weight',
  'accessibility',
  'site',
] as const;
export type RuleCategory = (typeof RULE_CATEGORIES)[number];

/** Why the content of a page says nothing about the site. */
export const NOT_JUDGED_REASONS = [
  'log-in-page',
  'challenge',
  'consent-wall',
  'error-page',
  'soft-404',
  'empty-application',
  'not-rendered-to-the-end',
  'cut',
  'signed-out',
  /** It sends its readers on at once (meta refresh), who never see it. */
  'forwarding',
  /** Only frames show it, or only a guess named it and it has no title: it may be a piece of a page. */
  'part',
  /** The crawl kept no HTML of it: `--snapshot none`. */
  'not-stored',
] as const;
export type NotJudgedReason = (typeof NOT_JUDGED_REASONS)[number];

/** What a check of accessibility looked at. Counts are of judged pages. */
export interface AccessibilityCoverage {
  /** `axe-core 4.14.1`. */
  readonly by: string;
  readonly pages: AxeChoice;
  readonly checked: number;
  /** `not-asked`: the crawl has recorded nothing of the page. */
  readonly notChecked: Readonly<Partial<Record<Exclude<AxeEnd, 'done'> | 'not-asked', number>>>;
  /** Page templates of which a page was checked, and all; left out where all pages were to be. */
  readonly templates?: { readonly seen: number; readonly all: number };
  /** Elements about which the check could not decide: somebody has to look at them. */
  readonly undecided: number;
}

/** What was measured of paint: of each page template one page. */
export interface PaintCoverage {
  readonly measured: number;
  readonly failed: number;
  /** Templates of which no page was tried. */
  readonly left: number;
  /** Of each page. */
  readonly loads: number;
  readonly cores: number;
  /** Processes that wanted to run, on average of a minute: before and after. */
  readonly load: readonly [before: number, after: number];
}

/** What the audit looked at, said before anything that it found. */
export interface AuditCoverage {
  /** URLs of the scope that sitemaps and links name as pages. */
  readonly expected: number;
  /** Those that were visited, however that ended. */
  readonly seen: number;
  /** Of those: addresses that redirect, and files that are no pages. All others are judged or not judged. */
  readonly redirected?: number;
  readonly files?: number;
  readonly judged: number;
  readonly notJudged: Readonly<Partial<Record<NotJudgedReason, number>>>;
  /** Examples of those, a few of each reason. */
  readonly notJudgedPages: readonly { readonly url: string; readonly reason: NotJudgedReason }[];
  /** Of a comparison: pages before and now, and those that were held against each other; `judged` are all whose standing is known. */
  readonly compared?: {
    readonly before: number;
    readonly now: number;
    readonly both: number;
    readonly changed: number;
    /** `before` is what was expected. */
    readonly isExpectation?: boolean;
  };
  /** Why the crawl did not see everything: `page limit reached`, `robots.txt forbids 12 URLs`; empty where it did. */
  readonly limits: readonly string[];
  /** Left out where nobody looked at accessibility. */
  readonly accessibility?: AccessibilityCoverage;
  /** Left out where nothing was measured. */
  readonly paint?: PaintCoverage;
}

export interface AuditedPage {
  readonly url: string;
  readonly status: number | null;
  readonly depth: number;
  /** Bytes of the document. */
  readonly bytes: number | null;
  readonly title: string | null;
  readonly judged: true | NotJudgedReason;
  /** Path of its screenshot relative to the crawl folder. */
  readonly screenshot: string | null;
  readonly duplicateOf: string | null;
}

/** A link out of the scope, where those were checked. */
export interface ExternalLink {
  readonly url: string;
  /** An ExternalVerdict (external-record.ts); reports group by whatever word it is. */
  readonly verdict: string;
  readonly status: number | null;
  readonly sources: Finding['sources'];
}

/** A thing that a site is made of: a host that its pages ask, a cookie, a library. */
export interface InventoryItem {
  /** `host`, `cookie`, `library`; reports group by it. */
  readonly kind: string;
  readonly name: string;
  /** What is to be known of it, in a few words; null where there is nothing. */
  readonly detail: string | null;
  /** Judged pages that have it. */
  readonly pages: number;
  /** Of hosts and cookies: judged pages that had it before the crawl answered their consent dialog; null where it answered none. */
  readonly beforeConsent: number | null;
}

/** What a crawl was compared with. */
interface ComparedWith {
  readonly folder: string;
  /** `expectation`: expected.json. */
  readonly kind: 'crawl' | 'baseline' | 'expectation';
  readonly seeds: readonly string[];
  /** ISO 8601: when it began. */
  readonly started: string;
}

/** An audit, or a comparison, as reporters get it. */
export interface AuditResult {
  /** The crawl folder. */
  readonly folder: string;
  readonly seeds: readonly string[];
  /** ISO 8601: when the crawl began. */
  readonly started: string;
  readonly coverage: AuditCoverage;
  /** Sorted: severity, then rule, then the number of pages (most first), then id. */
  readonly findings: readonly Finding[];
  /** All rules that were applied, those without findings too. */
  readonly rules: readonly RuleInfo[];
  readonly pages: readonly AuditedPage[];
  /** Things to be known beside the findings: rules that could not be applied, and why. */
  readonly notes: readonly string[];
  /** There where findings are differences: what the crawl was compared with. */
  readonly against?: ComparedWith;
  /** Of a comparison: screenshots that differ; left out where none do. */
  readonly pictures?: readonly PictureChange[];
  /** Left out where external links were not checked. */
  readonly external?: readonly ExternalLink[];
  /** Left out where nobody took it. */
  readonly inventory?: readonly InventoryItem[];
  /** How pages were painted; left out where nobody measured it. */
  readonly measurements?: Measurements;
  /** As crawl.json has them. */
  readonly suspectedTraps?: readonly SuspectedTrap[];
}
