/** All facets, in the order of reports, and the rules of their differences. */
import type { FacetName } from '../../model/page-version.ts';
import type { RuleInfo } from '../../model/finding.ts';
import { CANONICAL } from './canonical.ts';
import type { DifferenceRule, PageFacet } from './facet.ts';
import { ERRORS, STRUCTURED_DATA } from './line-facets.ts';
import { META } from './meta.ts';
import { PAGE_RULES } from './pages.ts';
import { REDIRECTS } from './redirects.ts';
import { FILES_RULE, LINKS_RULE } from './references.ts';
import { ROBOTS } from './robots.ts';
import { SCREENSHOT_RULE } from './screenshot.ts';
import { STATUS } from './status.ts';
import { TEXT_RULE } from './text.ts';
import { TITLE } from './title.ts';
import { WEIGHT } from './weight.ts';

/** Facets that compare the old and the new version of one page. */
export const PAGE_FACETS: readonly PageFacet[] = [
  STATUS,
  REDIRECTS,
  TITLE,
  META,
  CANONICAL,
  ROBOTS,
  STRUCTURED_DATA,
  ERRORS,
  WEIGHT,
];

/** Subject and method of each facet; docs/regression.md shows this table. */
export const FACET_WORDS: Readonly<Record<FacetName, readonly [what: string, how: string]>> = {
  pages: [
    'pages that came, went, moved or failed',
    'by address; moved where the text is the same, three quarters of it are, or the old address redirects there',
  ],
  status: ['status, and what kind of thing an address is', 'equal or not'],
  redirects: ['where an address redirects to, and with which status', 'equal or not'],
  title: ['title', 'by words'],
  meta: ['description, language, first headings, versions in other languages', 'by words; versions as a set'],
  canonical: ['canonical address', 'equal or not'],
  robots: [
    'what robots are told: by pages, in the markup and in `X-Robots-Tag` headers, and of pages by robots.txt',
    'as a set of words; by robots.txt, whether it forbids a page',
  ],
  links: ['addresses that a page links to', 'as a set; one difference for all pages with the same change'],
  files: ['scripts, sheets, pictures and requests', 'as a set of addresses without hashes and versions'],
  text: [
    'text that is shown',
    'by lines, then by words; case and white space do not count; a passage at another place of its page is told as such, not as lost and new',
  ],
  'structured-data': ['values of JSON-LD', 'as a set of lines'],
  errors: ['exceptions, messages of the console, failed requests', 'as a set; needs crawls with --audit'],
  accessibility: ['findings on accessibility', 'by their ids; needs audited crawls'],
  weight: ['bytes of a page with its files', 'from a tenth and 10 kB on'],
  findings: ['all other findings of audits: new and fixed', 'by their ids; needs audited crawls'],
  screenshot: [
    'pictures of pages, in each window',
    'by pixels as an eye sees them; one difference for all pages with the same change; needs crawls with --snapshot screenshot, best with --deterministic',
  ],
};

const RULES: readonly DifferenceRule[] = [
  ...PAGE_RULES,
  ...PAGE_FACETS.map(({ rule }) => rule),
  LINKS_RULE,
  FILES_RULE,
  TEXT_RULE,
  SCREENSHOT_RULE,
];

/**
 * The rules of all differences: of facets, and of findings that are new or fixed.
 * @param rules of audits
 */
export function differenceRules(rules: readonly RuleInfo[]): readonly DifferenceRule[] {
  return [...RULES, ...rules.flatMap((rule) => [newFinding(rule), fixedFinding(rule)])];
}

export function newFinding(rule: RuleInfo): DifferenceRule {
  return { ...rule, about: 'site', id: `new-${rule.id}`, title: `New: ${rule.title}` };
}

export function fixedFinding(rule: RuleInfo): DifferenceRule {
  return {
    ...{ ...rule, about: 'site', id: `fixed-${rule.id}`, title: `Fixed: ${rule.title}`, severity: 'notice' },
    ...{ why: 'It was there before, and is gone.', fix: 'Nothing is to be done; approve it.' },
  };
}
