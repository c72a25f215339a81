/**
 * Converts a captured page to a commit in fixed steps: findings of processors → header links → links from extensions' discoverers
 * → canonical links → scope → text digest → duplicate → parameters → snapshot → record. Decisions are made in core; this file only sequences them.
 */
import type { DuplicateVerdict } from '../core/fingerprint/verdict.ts';
import { sitemapLinks } from '../core/links/catalogue.ts';
import type { KnownTargets } from '../core/links/known-targets.ts';
import { headerLinks } from '../core/links/data/header.ts';
import { pageRobots, type PageRobots } from '../core/robots/page-robots.ts';
import type { Scope } from '../core/scope/decide.ts';
import type { SnapshotWriter } from '../crawl-folder/writer.ts';
import type { SimilarityIndex } from '../dedup/similarity-index.ts';
import type { FileSource } from '../model/file-source.ts';
import type { FoundLink } from '../model/link.ts';
import type { Page } from '../model/page.ts';
import type { PageRecord } from '../model/record.ts';
import type { UrlPolicy } from '../model/url/canonical-url.ts';
import type { Novelty, CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import { gaveUpWords } from '../offload/task.ts';
import { detailsLine } from './details-line.ts';
import { extensionLinks, type Discovery } from './discover-links.ts';
import { findDuplicate, linksOfDuplicate, NO_TEXT, type DuplicateSearch } from './duplicates.ts';
import { isReadByBuiltins, PAGE_FINDINGS, pageSource, type BuiltinFinding } from './file-reading.ts';
import { learnParameters, linksFolded, type FoldSearch } from './folding.ts';
import { linksBeyond } from './links-beyond.ts';
import { judgeTrap, linksOfTrap, type NoveltySearch, type TrapVerdict } from './novelty.ts';
import { judgementOf, outgoingLinks } from './outgoing-links.ts';
import { SITEMAP } from './packed-sitemap.ts';
import { capturedRecord } from './page-record.ts';
import { textFields } from './page-text.ts';
import { NO_FINDINGS, type Findings, type Processors } from './processors.ts';
import type { SitemapBook } from './sitemap-book.ts';

export interface PageProcessing extends Discovery, DuplicateSearch, NoveltySearch, FoldSearch {
  readonly similar: SimilarityIndex;
  readonly scope: Scope;
  readonly urlPolicy: UrlPolicy;
  readonly respectNofollow: boolean;
  /** A site takes the crawl for a user: links that sign out, or change something, are not followed. Left out: they are followed. */
  readonly visitsAsUser?: boolean;
  readonly robotsAgent: string;
  readonly processors: Processors;
  readonly snapshots: SnapshotWriter;
  readonly sitemaps: SitemapBook;
  readonly knownTargets?: KnownTargets;
  /** Are page details recorded for an audit? Left out: no. */
  readonly details?: boolean;
}

interface ProcessedPage {
  readonly record: PageRecord;
  readonly links: readonly CommittedLink[];
  readonly novelty: Novelty;
  /** Line of details.jsonl. */
  readonly details?: string;
}

/** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE from the snapshot writer */
export async function processPage(
  visit: Visit,
  captured: Page,
  processing: PageProcessing,
  signal: AbortSignal,
): Promise<ProcessedPage> {
  const { page, findings, why, robots, found: shown } = await readPage(visit, captured, processing, signal);
  const { firstRead } = captured;
  const recorded = firstRead === undefined ? [] : (await readPage(visit, firstRead, processing, signal)).found;
  const added = linksBeyond(recorded, shown);
  const found = [...recorded, ...added];
  const { text } = page;
  const verdict = text === null ? NO_TEXT : await findDuplicate(visit, text, found, searchOf(processing, signal));
  // a user who wants traps followed switches the detector off there;
  // the host's memory already has the content of a page that is visited again
  const isHeard = visit.again === true || processing.scope.followsTrap(visit.url);
  const trap: TrapVerdict = isHeard
    ? { novelty: null, heldBecause: null }
    : await judgeTrap(visit, { ...verdict, links: found }, processing);
  if (visit.again !== true) await learnParameters(visit, { page, figures: verdict.figures, links: found }, processing);
  const held = linksOfTrap(trap, linksOfDuplicate(verdict, added, visit), visit);
  const links = await linksFolded(held, visit, processing);
  const snapshot = await processing.snapshots.write(page, signal);
  const record = capturedRecord(visit, page, {
    ...textFields(verdict.figures),
    unread: [...(page.unread ?? []), ...why, ...verdict.unread],
    unreadAnswers: page.unreadAnswers ?? [],
    cutLinks: cutLinksOf(page),
    unusedControls: page.unusedControls ?? null,
    facts: findings.facts,
    ...likenessOf(verdict),
    links: countLinks(links),
    snapshot,
    robots: [...robots.directives, ...robots.forOthers],
  });
  return {
    ...{ record, links, novelty: trap.novelty },
    ...(processing.details === true ? { details: detailsLine(captured) } : {}),
  };
}

function cutLinksOf({ foundLinks, foundLinksTotal: found }: Page): { kept: number; found: number } | null {
  const kept = foundLinks.length;
  return found > kept ? { kept, found } : null;
}

/** The fields are named one by one, as in {@link judgementOf}. */
function searchOf(
  { similar, followDuplicates, offload, hashes }: PageProcessing,
  signal: AbortSignal,
): Parameters<typeof findDuplicate>[3] {
  const search = { similar, followDuplicates, offload, signal };
  return hashes === undefined ? search : { ...search, hashes };
}

interface PageReading {
  /** The page with the findings of processors. */
  readonly page: Page;
  readonly findings: Findings;
  /** Unreadable parts, and why. */
  readonly why: readonly string[];
  readonly robots: PageRobots;
  /** Its links, judged. */
  readonly found: readonly CommittedLink[];
}

async function readPage(
  visit: Visit,
  captured: Page,
  processing: PageProcessing,
  signal: AbortSignal,
): Promise<PageReading> {
  const file =
    captured.html === null
      ? null
      : pageSource({ url: captured.finalUrl, contentType: captured.contentType, text: captured.html });
  const { builtin, why } = await builtinsOf(file, processing, signal);
  const findings = file === null ? NO_FINDINGS : await processing.processors.find(file, signal, builtin);
  const sitemap = await sitemapOf(file, visit, processing, signal);
  const page = withFindings(captured, findings);
  const robots = pageRobots(page.robots, page.headers, processing.robotsAgent);
  const foundLinks = [
    ...page.foundLinks,
    ...headerLinks(page.headers, page.finalUrl),
    ...findings.links,
    ...(file === null ? [] : extensionLinks(file, processing)),
    ...sitemap.links,
  ];
  const judgement = judgementOf({ page: page.finalUrl, pageNofollow: robots.nofollow }, processing);
  const found = await outgoingLinks(visit, foundLinks, judgement);
  return { page, findings, why: [...why, ...sitemap.why], robots, found };
}

/** Merges findings of processors into a page; they outrank its own facts. */
function withFindings(page: Page, { title, description, lang, text }: Findings): Page {
  return {
    ...page,
    title: title ?? page.title,
    description: description ?? page.description,
    lang: lang ?? page.lang,
    text: text ?? page.text,
  };
}

function likenessOf({ duplicateOf, similarity }: DuplicateVerdict): Pick<PageRecord, 'duplicateOf' | 'similarity'> {
  return { duplicateOf, similarity };
}

/** The findings of the built-in processors for a page; few processors read pages. */
async function builtinsOf(
  page: FileSource | null,
  { offload }: PageProcessing,
  signal: AbortSignal,
): Promise<{ readonly builtin: readonly BuiltinFinding[]; readonly why: readonly string[] }> {
  if (page === null || !isReadByBuiltins(page)) return { builtin: [], why: [] };
  const { url, contentType, text } = page;
  const read = await offload.run(PAGE_FINDINGS, { url, contentType, text }, { url, size: text.length }, signal);
  if (read.kind === 'done') return { builtin: read.value, why: [] };
  return { builtin: [], why: [gaveUpWords(PAGE_FINDINGS, read)] };
}

/** The entries of a named sitemap whose server calls it a page: programs that print XML often forget its type. */
async function sitemapOf(
  page: FileSource | null,
  { url: visited }: Visit,
  { sitemaps, offload }: PageProcessing,
  signal: AbortSignal,
): Promise<{ readonly links: readonly FoundLink[]; readonly why: readonly string[] }> {
  if (page === null || sitemaps.placeOf(visited) === null) return { links: [], why: [] };
  const { url, text } = page;
  const read = await offload.run(SITEMAP, { body: text, url }, { url, size: text.length }, signal);
  if (read.kind === 'gave-up') return { links: [], why: [gaveUpWords(SITEMAP, read)] };
  const isSitemap = read.value.kind === 'urlset' || read.value.kind === 'index';
  return { links: isSitemap ? sitemapLinks(read.value, url) : [], why: [] };
}

export function countLinks(links: readonly CommittedLink[]): { readonly found: number; readonly parts: number } {
  const parts = links.filter(({ target }) => target.kind === 'subresource').length;
  return { found: links.length - parts, parts };
}
