/**
 * Result of an audit (docs/audit.md): the lines of findings.jsonl, the judged pages, and the coverage, which stands before all
 * findings. Names and types are a contract: reporters, gates, baselines and comparisons read nothing else.
 */
import type { AxeChoice, AxeEnd } from './accessibility.ts';
import type { PictureChange } from './picture-change.ts';
import type { Measurements } from './paint.ts';
import type { SuspectedTrap } from './record.ts';

export const SEVERITIES = ['error', 'warning', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const FINDING_CONFIDENCES = ['high', 'medium', 'low'] as const;
export type FindingConfidence = (typeof FINDING_CONFIDENCES)[number];

/** Evidence of a finding; each field only where it applies. Texts are those of the page, cut, and must never be shown as markup. */
export interface Evidence {
  /** CSS selector of the element, short and stable. */
  readonly selector?: string;
  /** The element's markup, or a line of a log. */
  readonly snippet?: string;
  /** A header of the answer: `name: value`. */
  readonly header?: string;
  /** The request that shows it: `GET https://… 404`. */
  readonly request?: string;
  /** Change that a comparison found, word by word: `[-old-] {+new+}`. */
  readonly change?: string;
  /** URLs in the order of the chain: redirects, canonicals. */
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
   * 16 hexadecimal digits, derived from the rule, the site-relative address and the thing; never from origin, order, counts or line numbers. So
   * it is the same in the next crawl, on another port and on a preview host.
   */
  readonly id: string;
  /** Name of the rule: `broken-link`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: FindingConfidence;
  /** The page with the defect; of several, the first by depth and then by address. */
  readonly url: string;
  /** Target of the reference, where the defect lies in a reference; else null. */
  readonly target: string | null;
  /** One sentence for a reader; it names the thing. */
  readonly message: string;
  readonly evidence: Evidence;
  /** Shared by findings that one change probably fixes: rule and page template (`missing-description /blog/*`); for a layout the rule alone. */
  readonly group: string;
  /** Count of all pages that show it, and a list of the first of them. */
  readonly sources: { readonly count: number; readonly first: readonly FindingSource[] };
}

/** A rule as reports show it. */
export interface RuleInfo {
  /** Kebab-case. */
  readonly id: string;
  readonly severity: Severity;
  readonly category: RuleCategory;
  /** The defect, as a title: `Link to a page that does not exist`. */
  readonly title: string;
  /** Why it matters, in one or two sentences. */
  readonly why: string;
  /** How to fix it, in one or two sentences. */
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

/** Reasons why a page's content says nothing about the site. */
export const NOT_JUDGED_REASONS = [
  'log-in-page',
  'challenge',
  'consent-wall',
  'error-page',
  'soft-404',
  'empty-application',
  /** It draws all that it shows on a canvas, where no text and no link can be found. */
  'canvas',
  'not-rendered-to-the-end',
  'cut',
  'signed-out',
  /** It forwards its readers at once (meta refresh, a script), so they never see it. */
  'forwarding',
  /** It may be a piece of a page: only frames show it; or it has no title, and only guesses or attributes that scripts read name it. */
  'part',
  /** The crawl stored no HTML of it: `--snapshot none`. */
  'not-stored',
] as const;
export type NotJudgedReason = (typeof NOT_JUDGED_REASONS)[number];

/** Coverage of the accessibility check. Counts are of judged pages. */
export interface AccessibilityCoverage {
  /** `axe-core 4.14.1`. */
  readonly by: string;
  readonly pages: AxeChoice;
  readonly checked: number;
  /** `not-asked`: the crawl recorded no check of the page. */
  readonly notChecked: Readonly<Partial<Record<Exclude<AxeEnd, 'done'> | 'not-asked', number>>>;
  /** Page templates with a checked page, and all templates; left out where all pages were to be checked. */
  readonly templates?: { readonly seen: number; readonly all: number };
  /** Elements that the check could not decide on: a person has to look at them. */
  readonly undecided: number;
}

/** Coverage of paint measurements: one page per page template. */
export interface PaintCoverage {
  readonly measured: number;
  readonly failed: number;
  /** Templates without a tried page. */
  readonly left: number;
  /** Loads per page. */
  readonly loads: number;
  readonly cores: number;
  /** Load average of one minute (processes that wanted to run), before and after. */
  readonly load: readonly [before: number, after: number];
}

/** Coverage of the audit, reported before all findings. */
export interface AuditCoverage {
  /** URLs in scope that sitemaps and links name as pages. */
  readonly expected: number;
  /** Those visited, whatever the outcome. */
  readonly seen: number;
  /** Those of them that redirect, and those that are files, not pages. All others are judged or not judged. */
  readonly redirected?: number;
  readonly files?: number;
  readonly judged: number;
  readonly notJudged: Readonly<Partial<Record<NotJudgedReason, number>>>;
  /** Examples of pages not judged, a few per reason. */
  readonly notJudgedPages: readonly { readonly url: string; readonly reason: NotJudgedReason }[];
  /** In a comparison: pages before, pages now, and pages compared; `judged` counts all pages whose standing is known. */
  readonly compared?: {
    readonly before: number;
    readonly now: number;
    readonly both: number;
    /** Pages that differ, came or went. */
    readonly changed: number;
    /** Other addresses that differ, such as redirects; left out where there are none. */
    readonly others?: number;
    /** `before` is the expectation. */
    readonly isExpectation?: boolean;
  };
  /** Reasons why the crawl is incomplete: `page limit reached`, `robots.txt forbids 12 URLs`; empty where it is complete. */
  readonly limits: readonly string[];
  /** Left out where accessibility was not checked. */
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

/** A link out of the scope, where such links were checked. */
export interface ExternalLink {
  readonly url: string;
  /** An ExternalVerdict (external-record.ts); reports group by its text. */
  readonly verdict: string;
  readonly status: number | null;
  readonly sources: Finding['sources'];
}

/** A part of a site: a host that its pages ask, a cookie, a library. */
export interface InventoryItem {
  /** `host`, `cookie`, `library`; reports group by it. */
  readonly kind: string;
  readonly name: string;
  /** Facts about it in a few words; null where there are none. */
  readonly detail: string | null;
  /** Judged pages that have it. */
  readonly pages: number;
  /** For hosts and cookies: judged pages that had it before the crawl answered their consent dialog; null where it answered none. */
  readonly beforeConsent: number | null;
}

/** The other side of a comparison. */
export interface ComparedWith {
  readonly folder: string;
  /** `expectation`: expected.json. */
  readonly kind: 'crawl' | 'baseline' | 'expectation';
  readonly seeds: readonly string[];
  /** Time of its start, ISO 8601. */
  readonly started: string;
}

/** An audit, or a comparison, as reporters get it. */
export interface AuditResult {
  /** The crawl folder. */
  readonly folder: string;
  readonly seeds: readonly string[];
  /** Start of the crawl, ISO 8601. */
  readonly started: string;
  readonly coverage: AuditCoverage;
  /** Sorted: severity, then rule, then the number of pages (most first), then id. */
  readonly findings: readonly Finding[];
  /** All chosen rules, including those without findings. */
  readonly rules: readonly RuleInfo[];
  /**
   * Ids of rules that could not be applied to all they are about, so that a missing finding of theirs says nothing; left out where there are
   * none. The notes say why.
   */
  readonly silent?: readonly string[];
  readonly pages: readonly AuditedPage[];
  /** Notes beside the findings: rules that could not be applied, and why. */
  readonly notes: readonly string[];
  /** Set where findings are differences: the other side of the comparison. */
  readonly against?: ComparedWith;
  /** In a comparison: screenshots that differ; left out where none do. */
  readonly pictures?: readonly PictureChange[];
  /** Left out where external links were not checked. */
  readonly external?: readonly ExternalLink[];
  /** Left out where it was not taken. */
  readonly inventory?: readonly InventoryItem[];
  /** Paint measurements; left out where nothing was measured. */
  readonly measurements?: Measurements;
  /** As in crawl.json. */
  readonly suspectedTraps?: readonly SuspectedTrap[];
}
