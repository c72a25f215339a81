/** All rules, in the order in which docs/audit.md shows them. */
import type { AuditRule } from '../../model/audit-rule.ts';
import { brokenLink } from './broken-link.ts';
import { linkTargetFailed } from './link-target-failed.ts';
import { brokenExternalLink } from './broken-external-link.ts';
import { externalTlsProblem } from './external-tls-problem.ts';
import { redirectedExternalLink } from './redirected-external-link.ts';
import { brokenFragment } from './broken-fragment.ts';
import { redirectLoop } from './redirect-loop.ts';
import { redirectChain } from './redirect-chain.ts';
import { malformedLink } from './malformed-link.ts';
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
import { misplacedMetadata } from './misplaced-metadata.ts';
import { relativePreviewAddress } from './relative-preview-address.ts';
import { invalidHreflang } from './invalid-hreflang.ts';
import { brokenHreflang } from './broken-hreflang.ts';
import { brokenRelation } from './broken-relation.ts';
import { redirectedHreflang } from './redirected-hreflang.ts';
import { missingSelfHreflang } from './missing-self-hreflang.ts';
import { unreciprocalHreflang } from './unreciprocal-hreflang.ts';
import { unlistedHreflang } from './unlisted-hreflang.ts';
import { conflictingHreflang } from './conflicting-hreflang.ts';
import { missingLang } from './missing-lang.ts';
import { invalidLang } from './invalid-lang.ts';
import { missingViewport } from './missing-viewport.ts';
import { conflictingRobots } from './conflicting-robots.ts';
import { noindexInSitemap } from './noindex-in-sitemap.ts';
import { noncanonicalInSitemap } from './noncanonical-in-sitemap.ts';
import { disallowedInSitemap } from './disallowed-in-sitemap.ts';
import { sitemapEntryFailed } from './sitemap-entry-failed.ts';
import { sitemapEntryRedirects } from './sitemap-entry-redirects.ts';
import { invalidStructuredData } from './invalid-structured-data.ts';
import { incompleteStructuredData } from './incomplete-structured-data.ts';
import { imageWithoutAlt } from './image-without-alt.ts';
import { imageWithoutSize } from './image-without-size.ts';
import { soft404 } from './soft-404.ts';
import { nearDuplicate } from './near-duplicate.ts';
import { encodingConflict } from './encoding-conflict.ts';
import { contentNeedsJavascript } from './content-needs-javascript.ts';
import { uncaughtException } from './uncaught-exception.ts';
import { consoleError } from './console-error.ts';
import { failedRequest } from './failed-request.ts';
import { failedThirdPartyRequest } from './failed-third-party-request.ts';
import { cspViolation } from './csp-violation.ts';
import { deprecatedFeature } from './deprecated-feature.ts';
import { neverSettles } from './never-settles.ts';
import { missingTransportSecurity } from './missing-transport-security.ts';
import { missingContentTypeOptions } from './missing-content-type-options.ts';
import { missingFrameProtection } from './missing-frame-protection.ts';
import { missingReferrerPolicy } from './missing-referrer-policy.ts';
import { missingContentSecurityPolicy } from './missing-content-security-policy.ts';
import { cookieWithoutSecure } from './cookie-without-secure.ts';
import { cookieWithoutHttponly } from './cookie-without-httponly.ts';
import { cookieWithoutSamesite } from './cookie-without-samesite.ts';
import { tlsProblem } from './tls-problem.ts';
import { certificateExpiresSoon } from './certificate-expires-soon.ts';
import { secretInUrl } from './secret-in-url.ts';
import { formOverHttp } from './form-over-http.ts';
import { slowFirstByte } from './slow-first-byte.ts';
import { slowLargestContentfulPaint } from './slow-largest-contentful-paint.ts';
import { layoutShift } from './layout-shift.ts';
import { longTasks } from './long-tasks.ts';
import { heavyPage } from './heavy-page.ts';
import { uncompressedText } from './uncompressed-text.ts';
import { uncachedStaticFile } from './uncached-static-file.ts';
import { oversizedImage } from './oversized-image.ts';

export const AUDIT_RULES: readonly AuditRule[] = [
  brokenLink,
  linkTargetFailed,
  brokenExternalLink,
  redirectedExternalLink,
  externalTlsProblem,
  brokenFragment,
  redirectLoop,
  redirectChain,
  malformedLink,
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
  misplacedMetadata,
  relativePreviewAddress,
  invalidHreflang,
  brokenHreflang,
  brokenRelation,
  redirectedHreflang,
  missingSelfHreflang,
  unreciprocalHreflang,
  unlistedHreflang,
  conflictingHreflang,
  missingLang,
  invalidLang,
  missingViewport,
  conflictingRobots,
  noindexInSitemap,
  noncanonicalInSitemap,
  disallowedInSitemap,
  sitemapEntryFailed,
  sitemapEntryRedirects,
  invalidStructuredData,
  incompleteStructuredData,
  imageWithoutAlt,
  imageWithoutSize,
  soft404,
  nearDuplicate,
  encodingConflict,
  contentNeedsJavascript,
  uncaughtException,
  consoleError,
  failedRequest,
  failedThirdPartyRequest,
  cspViolation,
  deprecatedFeature,
  neverSettles,
  missingTransportSecurity,
  missingContentTypeOptions,
  missingFrameProtection,
  missingReferrerPolicy,
  missingContentSecurityPolicy,
  cookieWithoutSecure,
  cookieWithoutHttponly,
  cookieWithoutSamesite,
  tlsProblem,
  certificateExpiresSoon,
  secretInUrl,
  formOverHttp,
  slowFirstByte,
  slowLargestContentfulPaint,
  layoutShift,
  longTasks,
  heavyPage,
  uncompressedText,
  uncachedStaticFile,
  oversizedImage,
];
