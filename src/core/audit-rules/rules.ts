/** All rules, in the order in which docs/audit.md shows them. */
import type { AuditRule } from '../../model/audit-rule.ts';
import { brokenLink } from './broken-link.ts';
import { linkTargetFailed } from './link-target-failed.ts';
import { brokenExternalLink } from './broken-external-link.ts';
import { redirectedExternalLink } from './redirected-external-link.ts';
import { brokenFragment } from './broken-fragment.ts';
import { redirectLoop } from './redirect-loop.ts';
import { redirectChain } from './redirect-chain.ts';
import { insecureLink } from './insecure-link.ts';
import { mixedContent } from './mixed-content.ts';
import { orphanPage } from './orphan-page.ts';
import { deadEnd } from './dead-end.ts';
import { deepPage } from './deep-page.ts';
import { clickOnlyPage } from './click-only-page.ts';
import { internalNofollow } from './internal-nofollow.ts';
import { missingTitle } from './missing-title.ts';
import { duplicateTitle } from './duplicate-title.ts';
import { missingDescription } from './missing-description.ts';
import { duplicateDescription } from './duplicate-description.ts';
import { missingH1 } from './missing-h1.ts';
import { brokenCanonical } from './broken-canonical.ts';
import { conflictingCanonicals } from './conflicting-canonicals.ts';
import { chainedCanonical } from './chained-canonical.ts';
import { canonicalElsewhere } from './canonical-elsewhere.ts';
import { missingCanonical } from './missing-canonical.ts';
import { invalidHreflang } from './invalid-hreflang.ts';
import { brokenHreflang } from './broken-hreflang.ts';
import { unreciprocalHreflang } from './unreciprocal-hreflang.ts';
import { missingLang } from './missing-lang.ts';
import { invalidLang } from './invalid-lang.ts';
import { missingViewport } from './missing-viewport.ts';
import { conflictingRobots } from './conflicting-robots.ts';
import { noindexInSitemap } from './noindex-in-sitemap.ts';
import { sitemapEntryFailed } from './sitemap-entry-failed.ts';
import { sitemapEntryRedirects } from './sitemap-entry-redirects.ts';
import { invalidStructuredData } from './invalid-structured-data.ts';
import { incompleteStructuredData } from './incomplete-structured-data.ts';
import { imageWithoutAlt } from './image-without-alt.ts';
import { imageWithoutSize } from './image-without-size.ts';
import { soft404 } from './soft-404.ts';
import { nearDuplicate } from './near-duplicate.ts';
import { encodingConflict } from './encoding-conflict.ts';

export const AUDIT_RULES: readonly AuditRule[] = [
  brokenLink,
  linkTargetFailed,
  brokenExternalLink,
  redirectedExternalLink,
  brokenFragment,
  redirectLoop,
  redirectChain,
  insecureLink,
  mixedContent,
  orphanPage,
  deadEnd,
  deepPage,
  clickOnlyPage,
  internalNofollow,
  missingTitle,
  duplicateTitle,
  missingDescription,
  duplicateDescription,
  missingH1,
  brokenCanonical,
  conflictingCanonicals,
  chainedCanonical,
  canonicalElsewhere,
  missingCanonical,
  invalidHreflang,
  brokenHreflang,
  unreciprocalHreflang,
  missingLang,
  invalidLang,
  missingViewport,
  conflictingRobots,
  noindexInSitemap,
  sitemapEntryFailed,
  sitemapEntryRedirects,
  invalidStructuredData,
  incompleteStructuredData,
  imageWithoutAlt,
  imageWithoutSize,
  soft404,
  nearDuplicate,
  encodingConflict,
];
