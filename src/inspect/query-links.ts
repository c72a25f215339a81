/** Questions about the links of a crawl, out of its folder alone: no browser, no Redis, no network. */
import { CrawlError } from '../base/errors.ts';
import { lockCrawlFolder } from '../crawl-folder/crawl-folder.ts';
import { isWriteRefused } from '../crawl-folder/disk-error.ts';
import { didYouMean } from './did-you-mean.ts';
import type { LinkGraph } from './graph/link-graph.ts';
import { openInspectedCrawl, type InspectedCrawl } from './inspected-crawl.ts';
import { leftQueued } from './left-queued.ts';
import { withLinkIndex } from './link-index.ts';
import { LinkLookup, type LinkFilter, type LinksOfUrl } from './link-lookup.ts';
import { deadEnds, orphanPages, pageDepths, wayToUrl, type Orphans, type WayStep } from './link-surveys.ts';
import { rankPages, writeRanks, type RankedPage } from './rank-pages.ts';
import { readUrlArgument } from './url-argument.ts';

/** Options of a question. */
export interface Asking {
  /** Called with the reason when the index of the links has to be built first, which takes longer. */
  readonly onIndexing?: (why: string) => void;
  readonly signal?: AbortSignal;
}

/** Notes for a user beside the answer: the crawl is not over, lines could not be read. */
export interface WithNotes {
  readonly notes: readonly string[];
}

const NEVER = new AbortController().signal;

/**
 * The links to a URL (`to`), or those of a page (`from`).
 * @param url absolute, or a path on the host of the first seed (`/about`)
 * @throws {CrawlError} CRAWL_UNREADABLE for the folder, USAGE for a malformed URL, NOT_STORED for one that no line names
 * @example
 * const { links } = await queryLinks('orbweaver-example.org-20260102-030405', 'to', '/about');
 */
export async function queryLinks(
  folder: string,
  direction: 'from' | 'to',
  url: string,
  { onIndexing, signal, ...filter }: LinkFilter & Asking = {},
): Promise<LinksOfUrl & WithNotes> {
  const opened = await openInspectedCrawl(folder);
  const { url: asked, notes } = await readUrlArgument(url, opened);
  const answer = await withGraph(opened, { onIndexing, signal }, async (graph) => {
    await using queries = await LinkLookup.open(opened.path, graph);
    const found = await queries[direction](asked, filter);
    if (found === null) throw await neverSeen(opened, asked);
    return found;
  });
  return { ...answer, notes: [...notes, ...answer.notes] };
}

/**
 * One shortest way of clicks from a seed to a URL; no steps where links do not lead there.
 * @throws as {@link queryLinks}
 */
export async function queryWay(
  folder: string,
  url: string,
  asking: Asking = {},
): Promise<{ readonly url: string; readonly steps: readonly WayStep[] } & WithNotes> {
  const opened = await openInspectedCrawl(folder);
  const { url: asked, notes } = await readUrlArgument(url, opened);
  const answer = await survey(opened, asking, async (graph) => {
    await using queries = await LinkLookup.open(opened.path, graph);
    const steps = await wayToUrl(graph, asked, queries);
    if (steps === null) throw await neverSeen(opened, asked);
    return { url: asked, steps };
  });
  return { ...answer, notes: [...notes, ...answer.notes] };
}

/** Pages that a sitemap names and no page links to. @throws {CrawlError} CRAWL_UNREADABLE */
export async function queryOrphans(folder: string, asking: Asking = {}): Promise<Orphans & WithNotes> {
  return survey(await openInspectedCrawl(folder), asking, orphanPages);
}

/** Captured pages without a link to another page. @throws {CrawlError} CRAWL_UNREADABLE */
export async function queryDeadEnds(
  folder: string,
  asking: Asking = {},
): Promise<{ readonly pages: readonly string[] } & WithNotes> {
  return withGraph(await openInspectedCrawl(folder), asking, async (graph) => ({ pages: await deadEnds(graph) }));
}

export interface DepthAnswer extends WithNotes {
  /** Captured pages by the number of clicks from the nearest seed. */
  readonly depths: readonly number[];
  /** Captured pages that no chain of links leads to. */
  readonly unreached: number;
}

/**
 * The distances of captured pages from the seeds.
 * @param each called for every page, in the order of their URLs; null stands for a page that no links lead to
 * @throws {CrawlError} CRAWL_UNREADABLE
 */
export async function queryDepths(
  folder: string,
  each: (url: string, clicks: number | null) => void,
  asking: Asking = {},
): Promise<DepthAnswer> {
  return survey(await openInspectedCrawl(folder), asking, async (graph) => {
    const depths = await pageDepths(graph);
    const pages: [url: string, clicks: number | null][] = []; // pages are passed on all or not at all, also where the index is damaged
    for await (const { url, clicks } of depths.each()) pages.push([url, clicks]);
    for (const page of pages) each(...page);
    return { depths: depths.pages, unreached: depths.unreached };
  });
}

export interface RankAnswer extends WithNotes {
  readonly pages: number;
  /** Links between captured pages that counted. */
  readonly links: number;
  /** The best by PageRank, the best first. */
  readonly top: readonly RankedPage[];
  /** Were the ranks written into pages.jsonl? */
  readonly written: boolean;
}

/**
 * Ranks the captured pages by their links, and writes the ranks into pages.jsonl where the crawl has finished, cannot be resumed, and
 * lies where this user may write.
 * @param count pages that are listed, the best ones
 * @throws {CrawlError} CRAWL_UNREADABLE, OUTPUT_IN_USE while the crawl runs, DISK_FULL, OUTPUT_UNUSABLE
 */
export async function rankCrawl(folder: string, count: number, asking: Asking = {}): Promise<RankAnswer> {
  const opened = await openInspectedCrawl(folder);
  await using lock = await lockCrawlFolder(opened.path).catch((error: unknown) => {
    if (isWriteRefused(error)) return null;
    throw error;
  });
  // a crawl knows the lengths of its files: if it went on, it would cut off the longer lines
  const written = lock !== null && opened.crawl.state === 'finished' && !opened.crawl.resumable;
  return withGraph(opened, asking, async (graph) => {
    const ranks = await rankPages(graph);
    if (written) await writeRanks(opened.path, graph, ranks);
    return { pages: ranks.pages, links: ranks.links, top: ranks.top(count), written };
  });
}

/** Asks for links that may not be there: those on pages that were not visited are missing. */
async function survey<Answer extends object>(
  opened: InspectedCrawl,
  asking: Asking,
  ask: (graph: LinkGraph) => Promise<Answer>,
): Promise<Answer & WithNotes> {
  const left = leftQueued(opened.crawl);
  const answer = await withGraph(opened, asking, ask);
  const missing = left === null ? [] : [`${left}: links on pages that were not visited are missing`];
  return { ...answer, notes: [...answer.notes, ...missing] };
}

async function withGraph<Answer extends object>(
  { path, crawl }: InspectedCrawl,
  {
    onIndexing,
    signal = NEVER,
  }: { readonly onIndexing?: Asking['onIndexing'] | undefined; readonly signal?: AbortSignal | undefined },
  ask: (graph: LinkGraph) => Promise<Answer>,
): Promise<Answer & WithNotes> {
  const needs = { folder: path, seeds: crawl.seeds, ...(onIndexing === undefined ? {} : { onIndexing }) };
  return withLinkIndex(
    needs,
    async (graph) => ({ ...(await ask(graph)), notes: notesOf(crawl.state, graph.header.unread) }),
    signal,
  );
}

function notesOf(state: InspectedCrawl['crawl']['state'], unread: number): readonly string[] {
  const standing = {
    running: ['the crawl is running, or was killed: this is what it has found by now'],
    interrupted: ['the crawl was interrupted: this is what it had found by then'],
    failed: [],
    finished: [],
  } as const;
  const damaged =
    unread === 0 ? [] : [`${unread} of the lines in links.jsonl and pages.jsonl cannot be read; left out`];
  return [...standing[state], ...damaged];
}

async function neverSeen({ path }: InspectedCrawl, url: string): Promise<CrawlError> {
  const near = await didYouMean(path, url);
  const cure = near.length === 0 ? '' : `\nPages like it:\n${near.map((each) => `  ${each}`).join('\n')}`;
  return new CrawlError('NOT_STORED', `nothing that the crawl has seen names ${url}${cure}`, { data: { url } });
}
