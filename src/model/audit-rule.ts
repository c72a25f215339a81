/** A rule of an audit: what it says of itself, and a pure function over facts (docs/audit.md). */
import type { PageFacts, Referrers, SiteFacts } from './audit-facts.ts';
import type { Evidence, FindingConfidence, NotJudgedReason, RuleInfo, Severity } from './finding.ts';

/**
 * What the findings of a rule are about, and so which of them are one.
 * - `page`: a property of one page: a finding a page.
 * - `element`: a thing in the markup: one finding for all pages that show it.
 * - `layout`: what a template or the server gives to all its pages: one finding a page template.
 * - `target`: an address that is referred to: one finding with all sources.
 * - `site`: the site as a whole: one finding a thing.
 */
export const RULE_SUBJECTS = ['page', 'element', 'layout', 'target', 'site'] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];

/** What a rule has seen. */
export interface Observation {
  /** One sentence that names the thing. */
  readonly message: string;
  /** What distinguishes it from others that the rule sees there, the same in every crawl; a URL where it has one. */
  readonly thing?: string;
  /** The page that shows it; of a rule about pages the page that is looked at. */
  readonly url?: string;
  readonly target?: string;
  readonly evidence?: Evidence;
  /** Instead of the page alone. */
  readonly sources?: Referrers;
  /** Where it is another than the rule's. */
  readonly severity?: Severity;
  /** Where it is not high. */
  readonly confidence?: FindingConfidence;
}

interface BasicRule extends RuleInfo {
  readonly about: RuleSubject;
  /** It goes by details.jsonl, and says nothing where the crawl has none. */
  readonly needsDetails?: boolean;
  /** It goes by measurements.json, and is not applied where nothing was measured. */
  readonly needsMeasurements?: boolean;
}

/** A rule that looks at one judged page after the other. */
export interface PageRule extends BasicRule {
  /** Pages that are not judged for these reasons are looked at as well: what the rule sees is no matter of their contents. */
  readonly alsoOn?: readonly NotJudgedReason[];
  checkPage(page: PageFacts): Iterable<Observation>;
}

/** A rule that looks at all pages and links together. */
export interface SiteRule extends BasicRule {
  /** It says something of what is not there, and so nothing where the crawl was cut. */
  readonly needsWholeCrawl?: boolean;
  /** It speaks of links to other sites, and is not applied where nobody asked for those. */
  readonly needsExternal?: boolean;
  checkSite(site: SiteFacts): Iterable<Observation & { readonly url: string }>;
}

export type AuditRule = PageRule | SiteRule;
