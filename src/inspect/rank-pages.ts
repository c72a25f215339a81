/** Ranks the pages of a crawl by its links, and writes the ranks into pages.jsonl. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parsedJson } from '../base/safe-json.ts';
import { hasClass } from '../core/graph/edge-label.ts';
import { ForwardGraphBuilder, type ForwardGraph } from '../core/graph/forward-graph.ts';
import { hits } from '../core/graph/hits.ts';
import { pageRank } from '../core/graph/page-rank.ts';
import { siteRank } from '../core/graph/site-rank.ts';
import { UrlTable } from '../core/graph/url-table.ts';
import { wholeLines } from '../crawl-folder/crawl-lines.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import type { PageRank } from '../model/record.ts';
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { hostKeyOf, registrableDomainOf } from '../model/url/host-key.ts';
import { writeHeader } from './graph/build-index.ts';
import { GRAPH_FOLDER } from './graph/graph-layout.ts';
import type { LinkGraph } from './graph/link-graph.ts';
import { sourcesOf } from './link-index.ts';
import { graphFactsOf, type NodeSet } from './link-surveys.ts';

/** The ranks of all pages that were captured. */
interface PageRanks {
  readonly pages: number;
  /** Links between them that count. */
  readonly links: number;
  /** The ranks of a captured page; null for every other URL. */
  rankOf(url: string): PageRank | null;
  /** The best by PageRank, the best first. */
  top(count: number): readonly RankedPage[];
}

export interface RankedPage {
  readonly url: string;
  readonly rank: PageRank;
}

/**
 * Ranks the captured pages by the links between them that a search engine would follow: high confidence, no `nofollow`, meant for
 * readers (no sitemap, no `link` element). A link to a URL that redirects counts for the page that it leads to.
 */
export async function rankPages(graph: LinkGraph): Promise<PageRanks> {
  const { pages, count, links } = await pageGraph(graph);
  const urls = await urlsOf(graph, pages);
  const { siteOf, sites } = sitesOf(urls, count);
  const [ranks, { hubs, authorities }, sitesRanked] = [pageRank(links), hits(links), siteRank(links, siteOf, sites)];
  const rankAt = (page: number): PageRank => ({
    pageRank: ranks[page] ?? 0,
    hub: hubs[page] ?? 0,
    authority: authorities[page] ?? 0,
    site: sitesRanked[siteOf[page] ?? 0] ?? 0,
  });
  return {
    pages: count,
    links: links.targets.length,
    rankOf: (url) => {
      const page = urls.find(url);
      return page === null ? null : rankAt(page);
    },
    top: (wanted) =>
      bestOf(ranks, wanted).map((page) => ({ url: Buffer.from(urls.bytesOf(page)).toString(), rank: rankAt(page) })),
  };
}

/** The captured pages, numbered in the order of their URLs, and the links between them that count for their ranks. */
export async function pageGraph(
  graph: LinkGraph,
): Promise<{ readonly pages: NodeSet; readonly count: number; readonly links: ForwardGraph }> {
  const { pages, nofollow, final } = await graphFactsOf(graph);
  const numberOf = new Map<number, number>();
  for (const page of pages) numberOf.set(page, numberOf.size);
  const links = await linksBetween(graph, { nofollow, final, numberOf });
  return { pages, count: numberOf.size, links };
}

interface Between {
  readonly nofollow: NodeSet;
  readonly final: Uint32Array;
  /** The number of a captured page among the captured ones. */
  readonly numberOf: ReadonlyMap<number, number>;
}

async function linksBetween(graph: LinkGraph, { nofollow, final, numberOf }: Between): Promise<ForwardGraph> {
  const builder = new ForwardGraphBuilder(numberOf.size);
  let number = -1;
  for await (const { neighbours, labels } of graph.allEdges('out')) {
    number += 1;
    const page = numberOf.get(number);
    if (page === undefined) continue;
    for (const [index, neighbour] of nofollow.has(number) ? [] : neighbours.entries()) {
      const target = numberOf.get(final[neighbour] ?? neighbour);
      if (target !== undefined && target !== page && hasClass(labels[index] ?? 0, 'follow')) builder.edge(target);
    }
    builder.endNode();
  }
  return builder.build();
}

async function urlsOf(graph: LinkGraph, pages: NodeSet): Promise<UrlTable> {
  const urls = new UrlTable();
  let number = 0;
  for await (const url of graph.allUrls()) {
    if (pages.has(number)) urls.add(url);
    number += 1;
  }
  return urls;
}

/** The registrable domain of each page. */
function sitesOf(urls: UrlTable, count: number): { readonly siteOf: Uint32Array; readonly sites: number } {
  const siteOf = new Uint32Array(count);
  const sites = new Map<string, number>();
  let known = { host: '', site: 0 };
  for (let page = 0; page < count; page += 1) {
    const host = hostKeyOf(storedCanonicalUrl(Buffer.from(urls.bytesOf(page)).toString()));
    if (host !== known.host) {
      const domain = registrableDomainOf(host); // pages of a host are adjacent
      const site = sites.get(domain) ?? sites.size;
      sites.set(domain, site);
      known = { host, site };
    }
    siteOf[page] = known.site;
  }
  return { siteOf, sites: sites.size };
}

function bestOf(ranks: Float64Array, count: number): readonly number[] {
  const bound = ranks.toSorted().at(-Math.min(count, ranks.length)) ?? 0;
  const best = [...ranks.entries()].filter(([, rank]) => rank >= bound).toSorted(([, one], [, other]) => other - one);
  return best.slice(0, count).map(([page]) => page);
}

/**
 * Writes the ranks into pages.jsonl: a field `rank` in each line, null where the page was not captured. The file is replaced
 * when it is whole; lines that cannot be read stay as they are. The index of the graph stays good.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function writeRanks(folder: string, graph: LinkGraph, ranks: PageRanks): Promise<void> {
  const path = join(folder, 'pages.jsonl');
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    for await (const { lines, torn } of wholeLines(path)) {
      await file.appendFile(torn ? lines : rankedLines(lines.toString('utf8'), ranks));
    }
    await file.datasync();
    await rename(draft, path);
    await writeHeader(join(folder, GRAPH_FOLDER), { ...graph.header, sources: await sourcesOf(folder) });
  } catch (error) {
    throw diskError(error, path);
  } finally {
    await rm(draft, { force: true });
  }
}

function rankedLines(lines: string, ranks: PageRanks): string {
  return lines
    .split('\n')
    .map((line) => (line === '' ? line : rankedLine(line, ranks)))
    .join('\n');
}

function rankedLine(line: string, ranks: PageRanks): string {
  const page: unknown = parsedJson(line);
  if (typeof page !== 'object' || page === null || !('url' in page) || typeof page.url !== 'string') return line;
  return JSON.stringify({ ...page, rank: ranks.rankOf(page.url) });
}
