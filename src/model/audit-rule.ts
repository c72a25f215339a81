/** A rule of an audit: its description, and a pure function over facts (docs/audit.md). */
import type { PageFacts, Referrers, SiteFacts } from './audit-facts.ts';
import type { Evidence, FindingConfidence, NotJudgedReason, RuleInfo, Severity } from './finding.ts';

/**
 * Subject of a rule's findings. It decides which observations are one finding.
 * - `page`: a property of one page; one finding per page.
 * - `element`: a thing in the markup; one finding for all pages that show it.
 * - `layout`: something that a template or the server gives to all its pages; one finding per page template.
 * - `target`: a referenced address; one finding with all sources.
 * - `site`: the site as a whole; one finding per thing.
 */
export const RULE_SUBJECTS = ['page', 'element', 'layout', 'target', 'site'] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];

/** One defect that a rule has seen. */
export interface Observation {
  /** One sentence that names the thing. */
  readonly message: string;
  /** Identity among the rule's other observations there, the same in every crawl; a URL where it has one. */
  readonly thing?: string;
  /** The page that shows it; for a page rule, the page under examination. */
  readonly url?: string;
  readonly target?: string;
  /** The thing is a file that a build may name anew: hashes and versions in its address are no part of the id. */
  readonly isBuilt?: boolean;
  readonly evidence?: Evidence;
  /** Replaces the page as the only source. */
  readonly sources?: Referrers;
  /** Set where it differs from the rule's. */
  readonly severity?: Severity;
  /** Set where it is not high. */
  readonly confidence?: FindingConfidence;
}

interface BasicRule extends RuleInfo {
  readonly about: RuleSubject;
  /** It needs details.jsonl, and reports nothing where the crawl has none. */
  readonly needsDetails?: boolean;
  /** It judges the answers of the site's own server, and reports nothing where pages were served from a folder. */
  readonly needsServer?: boolean;
  /** It needs measurements.json, and is not applied where nothing was measured. */
  readonly needsMeasurements?: boolean;
}

/** A rule that examines judged pages one by one. */
export interface PageRule extends BasicRule {
  /** Also examines pages not judged for these reasons: its defect does not depend on their content. */
  readonly alsoOn?: readonly NotJudgedReason[];
  checkPage(page: PageFacts): Iterable<Observation>;
}

/** A rule that examines all pages and links together. */
export interface SiteRule extends BasicRule {
  /** It reports missing things, so it reports nothing where the crawl was cut short. */
  readonly needsWholeCrawl?: boolean;
  /** It reports on links to other sites, and is not applied where they were not checked. */
  readonly needsExternal?: boolean;
  checkSite(site: SiteFacts): Iterable<Observation & { readonly url: string }>;
}

export type AuditRule = PageRule | SiteRule;
