/** The public API (docs/library.md): the only module that users import. */
export { auditCrawl, type AuditOptions } from './audit/audit-crawl.ts';
export { approveCrawl, type Approval, type ApproveOptions } from './compare/approve-crawl.ts';
export { diffCrawls, type DiffOptions } from './compare/diff-crawls.ts';
export { CrawlError, ERROR_CODES, type ErrorCode } from './base/errors.ts';
export type { Log, LogFields } from './base/log.ts';
export type { Milliseconds } from './base/units.ts';
export { parseRobots, type RobotsFile, type RobotsVerdict } from './core/robots/robots-file.ts';
export type { FileFacts, FileFindings, PageProcessor } from './core/files/page-processor.ts';
export type { Sitemap, SitemapEntry } from './core/links/data/sitemap.ts';
export { fileLink, type LinkDiscoverer } from './core/links/discoverer.ts';
export { similarity, textSignature, type Signature } from './core/fingerprint/signature.ts';
export type {
  Crawl,
  CrawlEnd,
  CrawlProgress,
  CrawlReport,
  CrawlTotals,
  GoingOn,
  HostWait,
  LimitOption,
  QueuedHost,
} from './crawl/crawl.ts';
export { currentEnvironment, type CrawlEnvironment } from './crawl/crawl-environment.ts';
export type { CrawlEvent } from './crawl/events.ts';
export type { CrawlPlan } from './crawl/crawl-plan.ts';
export { forecastCrawl } from './crawl/forecast/forecast-crawl.ts';
export type {
  CrawlForecast,
  PagesForecast,
  SampleForecast,
  SeedForecast,
  SitemapForecast,
} from './crawl/forecast/forecast.ts';
export type { BlankPages, PartlyUsedPages, TruncatedPages, UnansweredPages } from './crawl/summary/tally.ts';
export { explainUrl, type ExplainOptions } from './inspect/explain-url.ts';
export {
  exportCrawl,
  type Exported,
  type ExportFormat,
  type ExportOptions,
  type ExportReport,
  type ExportTargets,
} from './inspect/export-crawl.ts';
export type { LinkFilter, LinkMatch, LinksOfUrl } from './inspect/link-lookup.ts';
export { queryLinks, rankCrawl, type Asking, type RankAnswer, type WithNotes } from './inspect/query-links.ts';
export type { RankedPage } from './inspect/rank-pages.ts';
export type { CrawlOptions } from './options/options.ts';
export { resumeCrawl, startCrawl, type StartOptions } from './crawl/start-crawl.ts';
export type { InLinks, JudgedAgain, UrlHistory, UrlStanding } from './inspect/url-history.ts';
export { verifyCrawl, type VerifyOptions } from './inspect/verify/verify-crawl.ts';
export type { CrawlVerification, VerifiedCheck, VerifiedPart, VerifyProblem } from './inspect/verify/verification.ts';
export { showPage, type PagePart, type ShownPage } from './inspect/show-page.ts';
export type { AuditRule, Observation, PageRule, RuleSubject, SiteRule } from './model/audit-rule.ts';
export type {
  AccessibilityFacts,
  AlternateReference,
  ElementPlace,
  ExternalFacts,
  FragmentFacts,
  HeadReference,
  ImageFacts,
  InsecureForm,
  LinkedReferrers,
  PageFacts,
  PageSummary,
  PlacedLink,
  Referrers,
  SiteFacts,
  StructuredBlock,
  TargetFacts,
} from './model/audit-facts.ts';
export type { AxeChoice, AxeEnd } from './model/accessibility.ts';
export type { MeasuredPage, Measurements, PaintMetrics } from './model/paint.ts';
export type {
  AccessibilityCoverage,
  AuditCoverage,
  AuditedPage,
  AuditResult,
  ComparedWith,
  Evidence,
  ExternalLink,
  Finding,
  FindingConfidence,
  FindingSource,
  InventoryItem,
  NotJudgedReason,
  PaintCoverage,
  RuleCategory,
  RuleInfo,
  Severity,
} from './model/finding.ts';
export { canonicalUrl, type CanonicalUrl } from './model/url/canonical-url.ts';
export type { CrawlId } from './model/crawl-id.ts';
export type { PageDetails } from './model/page-details.ts';
export type { PictureChange } from './model/picture-change.ts';
export type {
  ArchivedPage,
  ArchivedRecord,
  FoldedParameters,
  LinkRecord,
  PageRank,
  PageRecord,
  RecordOutcome,
  SkippedRecord,
  SkipReason,
  GivenUpHost,
  SuspectedTrap,
} from './model/record.ts';
export type { NamedPath } from './model/robots-names.ts';
export type { TruncationCause } from './model/truncation.ts';
export type { CleanParam } from './model/url/url-parameters.ts';
export type { StoredEvent, StoredPage } from './crawl-folder/stored-lines.ts';
export type { EdgeClass } from './core/graph/edge-label.ts';
export type { ConsentState } from './model/consent.ts';
export type { FileSource } from './model/file-source.ts';
export type { LinkKind } from './model/link-kinds.ts';
export type { FoundLink, LinkConfidence, LinkStage } from './model/link.ts';
export { parseSitemap } from './pipeline/packed-sitemap.ts';
export {
  defineExtension,
  type Extension,
  type ExtensionDefinition,
  type ExtensionWriter,
  type OpenSnapshotWriter,
  type PageHookDefinition,
} from './pipeline/extension.ts';
export type { HookedPage, HookFunction, PageHookCall } from './render/hooks/page-hook.ts';
export { snapshotStem } from './crawl-folder/snapshot-layout.ts';
export type { SnapshotContent } from './crawl-folder/writer.ts';
