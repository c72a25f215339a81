/** Explains the whole history of one URL, out of the crawl folder alone: no browser, no Redis, no network. */
import { leadsToPage } from '../core/links/page-link.ts';
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';
import {
  eventsOf,
  linksTo,
  skippedLines,
  type StoredEvent,
  type StoredPage,
  type Unread,
} from '../crawl-folder/stored-lines.ts';
import type { LinkKind } from '../model/link-kinds.ts';
import { isFailure, type LinkRecord, type SkippedRecord, type SuspectedTrap } from '../model/record.ts';
import type { ParsedOptions } from '../options/options.ts';
import { didYouMean } from './did-you-mean.ts';
import { openInspectedCrawl } from './inspected-crawl.ts';
import { lastOf, lastPage } from './last-line.ts';
import { createRejudge } from './rejudge.ts';
import { createUnread } from './unread-lines.ts';
import { readUrlArgument } from './url-argument.ts';
import type { InLinks, JudgedAgain, UrlHistory, UrlStanding } from './url-history.ts';

export interface ExplainOptions {
  /** In-links that are listed one by one; default 10. */
  readonly links?: number;
}

const USUAL_LINKS = 10;
/** Events of one URL; a crawl that logs at level debug has some for each try. */
const EVENT_LIMIT = 200;

/**
 * Explains a crawl's treatment of a URL: the pages that link to it, the rule that decided, the result. Also for URLs that were never
 * visited or never seen, and for crawls that run or were killed.
 * @param url absolute, or a path on the host of the first seed (`/about`)
 * @throws {CrawlError} CRAWL_UNREADABLE for the folder, USAGE for a malformed URL
 * @example
 * const { standing, skipped } = await explainUrl('orbweaver-example.org-20260102-030405', 'https://example.org/a');
 */
export async function explainUrl(
  folder: string,
  url: string,
  { links = USUAL_LINKS }: ExplainOptions = {},
): Promise<UrlHistory> {
  const { path, crawl, options } = await openInspectedCrawl(folder);
  const target = await readUrlArgument(url, { path, crawl, options });
  const unread = createUnread(' that name it');
  const page = await lastPage(path, target.url, unread);
  const skipped = await lastOf(skippedLines(path, target.url, unread), (line) => line.url === target.url);
  const inLinks = await readInLinks(path, target.url, { count: links, unread });
  const rejudge = await createRejudge({ folder: path, crawl, options, unread });
  const scope = target.canonical === null ? null : await rejudge.judge(target.canonical, { page, links: inLinks.all });
  const isSeed = rejudge.isSeed(target.url);
  const standing = standingOf({ page, skipped, inLinks, isSeed, scope, options });
  const events = await firstEvents(path, target.url, unread);
  return {
    asked: url,
    url: target.url,
    crawl: { folder: path, id: crawl.id, state: crawl.state, end: crawl.end },
    standing,
    near: standing === 'unknown' ? await didYouMean(path, target.url) : [],
    isSeed,
    scope,
    robots: robotsOf(page, skipped, options),
    page,
    skipped,
    inLinks: inLinks.summary,
    trap: trapOf(skipped, target.url, crawl),
    events,
    notes: [...target.notes, ...unread.notes(), ...eventNotes(page, events, options)],
  };
}

interface ReadInLinks {
  readonly summary: InLinks;
  /** Enough in-links to show the distance of the URL from a seed: a page may have a hundred thousand. */
  readonly all: readonly LinkRecord[];
}

const KEPT_LINKS = 10_000;

async function readInLinks(
  folder: string,
  url: string,
  { count, unread }: { readonly count: number; readonly unread: Unread },
): Promise<ReadInLinks> {
  const all: LinkRecord[] = [];
  const pages = new Set<string>();
  const byKind = new Map<LinkKind, number>();
  let total = 0;
  for await (const link of linksTo(folder, url, unread)) {
    if (link.to !== url) continue;
    total += 1;
    pages.add(link.from);
    byKind.set(link.kind, (byKind.get(link.kind) ?? 0) + 1);
    if (all.length < KEPT_LINKS) all.push(link);
  }
  return { summary: { total, pages: pages.size, byKind: Object.fromEntries(byKind), first: told(all, count) }, all };
}

/** The link that made the URL known, then one of each other page: a list of contents alone may link to it ten times. */
function told(links: readonly LinkRecord[], count: number): readonly LinkRecord[] {
  const pages = new Set<string>();
  const firsts: LinkRecord[] = [];
  const repeats: LinkRecord[] = [];
  for (const link of links.toSorted((one, other) => Number(other.new) - Number(one.new))) {
    (pages.has(link.from) ? repeats : firsts).push(link);
    pages.add(link.from);
  }
  return [...firsts, ...repeats].slice(0, count);
}

interface Facts {
  readonly page: StoredPage | null;
  readonly skipped: SkippedRecord | null;
  readonly inLinks: ReadInLinks;
  readonly isSeed: boolean;
  readonly scope: JudgedAgain | null;
  readonly options: ParsedOptions;
}

function standingOf({ page, skipped, inLinks, isSeed, scope, options }: Facts): UrlStanding {
  if (page !== null) return isFailure(page.outcome) ? 'failed' : 'visited';
  if (skipped !== null) return 'skipped';
  if (isSeed) return 'queued';
  if (inLinks.all.length === 0) return 'unknown';
  const ways = inLinks.all.filter(leadsToPage);
  if (ways.length === 0) return 'subresource';
  const followed = options.followNofollow || !options.robots || ways.some(({ rel }) => !rel.includes('nofollow'));
  return scope?.accepted === true && followed ? 'queued' : 'held';
}

function robotsOf(page: StoredPage | null, skipped: SkippedRecord | null, { robots }: ParsedOptions): string | null {
  if (skipped?.reason === 'disallowed-by-robots') return skipped.rule;
  if (!robots) return 'not asked (--no-robots)';
  return page?.robotsRule ?? null;
}

function trapOf(skipped: SkippedRecord | null, url: string, { suspectedTraps }: StoredCrawl): SuspectedTrap | null {
  if (skipped?.reason !== 'trap') return null;
  return suspectedTraps.find(({ pattern, rule }) => rule === skipped.rule || url.startsWith(pattern)) ?? null;
}

async function firstEvents(folder: string, url: string, unread: Unread): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of eventsOf(folder, url, { ...unread, damaged: () => {}, torn: () => {} })) {
    if (event['url'] === url && events.length < EVENT_LIMIT) events.push(event);
  }
  return events;
}

/** Notes on earlier tries: only the log has them, and its level may leave them out. */
function eventNotes(
  page: StoredPage | null,
  events: readonly StoredEvent[],
  { logLevel }: ParsedOptions,
): readonly string[] {
  if (page === null || page.attempt === 1 || events.length > 0) return [];
  return [`earlier tries are not listed: log.jsonl has none of them (it was kept at level ${logLevel})`];
}
