/** Finds the differences of two crawls, out of their folders alone: no browser, no Redis, no network (docs/regression.md). */
import { CrawlError } from '../base/errors.ts';
import { AUDIT_RULES } from '../core/audit-rules/rules.ts';
import { differenceRules } from '../core/diff/facets.ts';
import type { NoiseBook } from '../core/diff/noise.ts';
import { NO_TOLERANCE, pictureTolerance } from '../core/pictures/picture-threshold.ts';
import { ruleInfo } from '../core/findings/finding-book.ts';
import { readStoredCrawl } from '../crawl-folder/stored-crawl.ts';
import { VERSION } from '../options/identity.ts';
import { readMapping } from '../audit/site-origins.ts';
import type { AuditedPage, AuditResult, RuleInfo } from '../model/finding.ts';
import { compareSites, type SiteComparison } from './compare-sites.ts';
import type { ComparedSite } from './compared-site.ts';
import { openCrawlSite } from './crawl-site.ts';
import { DrawnPictures } from './drawn-pictures.ts';
import { auditRules } from './finding-comparison.ts';
import { isBaseline, openSite } from './open-site.ts';
import { readApproved } from './baseline-site.ts';

export interface DiffOptions {
  /** Origins that stand for each other: `https://staging.example.org=https://example.org`. */
  readonly map?: readonly string[];
  /** Share of the pixels of a screenshot that may differ, 0 to 1; unlimited where `pictureRegion` is given alone. @default 0 */
  readonly pictureThreshold?: number;
  /** Pixels of one region of a screenshot that may differ; unlimited where `pictureThreshold` is given alone. @default 0 */
  readonly pictureRegion?: number;
  /** Draw the differences of screenshots into `report/diff/pictures` of the new crawl folder. @default false */
  readonly drawPictures?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Compares a crawl with an earlier one, or with a baseline. Each difference is a finding of the same form as those of an audit; pages that one of
 * both crawls did not see are no differences, and `coverage` says why they were not seen.
 * @param old a crawl folder, or a baseline that `orbweaver approve` wrote
 * @param now a crawl folder
 * @throws {CrawlError} CRAWL_UNREADABLE, BASELINE_INVALID for a folder, USAGE for a malformed mapping, OUTPUT_UNUSABLE and DISK_FULL for
 * pictures; the signal's reason
 * @example
 * const { findings } = await diffCrawls('orbweaver-example.org-20260102-030405', 'orbweaver-example.org-20260109-030405');
 */
export async function diffCrawls(old: string, now: string, options: DiffOptions = {}): Promise<AuditResult> {
  const { map = [], signal = new AbortController().signal } = options;
  for (const text of map) readMapping(text);
  await refuseBaseline(now);
  await using before = await openSite(old, map, signal);
  await using after = await openCrawlSite(now, map, signal);
  const drawn = options.drawPictures === true ? new DrawnPictures(after.folder) : null;
  await drawn?.clear();
  const tolerance = pictureTolerance(options.pictureThreshold, options.pictureRegion);
  return resultOf(before, after, await compareSites(before, after, { learning: null, tolerance, drawn }, signal));
}

/**
 * Checks the old side and the options without reading it all, so that a slip is reported before a crawl is made.
 * @throws {CrawlError} CRAWL_UNREADABLE, BASELINE_INVALID, USAGE
 */
export async function checkDiff(old: string, map: readonly string[]): Promise<void> {
  for (const text of map) readMapping(text);
  if (await isBaseline(old)) await readApproved(old);
  else await readStoredCrawl(old, VERSION);
}

/** The differences of two crawls of the same state, as noise. @throws as {@link diffCrawls} */
export async function compareForNoise(
  old: string,
  again: string,
  noise: NoiseBook,
  signal: AbortSignal,
): Promise<void> {
  await using before = await openCrawlSite(old, [], signal);
  await using after = await openCrawlSite(again, [], signal);
  await compareSites(before, after, { learning: noise, tolerance: NO_TOLERANCE, drawn: null }, signal);
}

/** @throws {CrawlError} USAGE */
async function refuseBaseline(now: string): Promise<void> {
  if (!(await isBaseline(now))) return;
  throw new CrawlError(
    'USAGE',
    `${now} is a baseline, and what is compared with one is a crawl\nGive the baseline first, and then the crawl folder.`,
  );
}

/** Names that gates of comparisons may have. */
export function diffRules(): readonly RuleInfo[] {
  return differenceRules(AUDIT_RULES).map((rule) => ruleInfo(rule));
}

function resultOf(old: ComparedSite, now: ComparedSite, comparison: SiteComparison): AuditResult {
  const { findings, coverage, pages, notes, pictures } = comparison;
  const seen = new Set(findings.map(({ rule }) => rule));
  // rules of audits only where they have differences: a list of all would be long and say nothing
  const facets = new Set(differenceRules([]).map(({ id }) => id));
  return {
    folder: now.folder,
    seeds: now.seeds,
    started: now.started,
    against: { folder: old.folder, kind: old.kind, seeds: old.seeds, started: old.started },
    coverage,
    findings,
    rules: differenceRules(auditRules(old, now))
      .filter(({ id }) => facets.has(id) || seen.has(id))
      .map(ruleInfo),
    pages: pages.map(({ url, status, depth, bytes, title }): AuditedPage => ({
      ...{ url, status, depth, bytes, title },
      ...{ judged: true, screenshot: null, duplicateOf: null },
    })),
    notes,
    ...(pictures.length === 0 ? {} : { pictures }),
  };
}
