/** Questions about the whole link graph: pages without in-links, pages without links, and the distance of pages from the seeds. */
import { classBit, hasClass, kindBit, type EdgeLabel } from '../core/graph/edge-label.ts';
import { ForwardGraphBuilder, type ForwardGraph } from '../core/graph/forward-graph.ts';
import { finalTargets, NOWHERE, shortestWays, wayTo } from '../core/graph/shortest-ways.ts';
import type { LinkRecord, RecordOutcome } from '../model/record.ts';
import type { LinkGraph } from './graph/link-graph.ts';
import type { NodeEntry } from './graph/node-entry.ts';
import type { LinkLookup } from './link-lookup.ts';

/** A page that is in a sitemap, and that no page links to. */
interface OrphanPage {
  readonly url: string;
  readonly outcome: RecordOutcome | null;
  /** The first sitemap that names it, by the order of their URLs. */
  readonly sitemap: string;
}

export interface Orphans {
  readonly pages: readonly OrphanPage[];
  /** URLs that sitemaps name, orphans or not; 0 where the crawl has read none. */
  readonly inSitemaps: number;
}

/**
 * Pages that a sitemap names and no page links to, neither directly nor by a redirect; in the order of their URLs. Seeds are never
 * orphans. Speculative links, feeds and `link` elements are no links that a reader could follow.
 */
export async function orphanPages(graph: LinkGraph): Promise<Orphans> {
  const { redirects, seeds } = await graphFactsOf(graph);
  const sitemapOf = new Map<number, number>();
  const linked = new Set<number>(seeds);
  let number = 0;
  for await (const { neighbours, labels } of graph.allEdges('in')) {
    if (labels.some((label, index) => neighbours[index] !== number && isOwnLink(label))) linked.add(number);
    const entry = labels.findIndex((label) => hasClass(label, 'entry'));
    if (entry !== -1) sitemapOf.set(number, neighbours[entry] ?? 0);
    number += 1;
  }
  // a set also yields members added during the iteration, so chains of redirects are followed to their ends
  for (const node of linked) if ((redirects[node] ?? NOWHERE) !== NOWHERE) linked.add(redirects[node] ?? 0);
  const orphans: OrphanPage[] = [];
  for (const [node, sitemap] of sitemapOf) {
    if (linked.has(node)) continue;
    const [url, { outcome }, named] = [await graph.urlOf(node), await graph.node(node), await graph.urlOf(sitemap)];
    orphans.push({ url, outcome, sitemap: named });
  }
  return { pages: orphans, inSitemaps: sitemapOf.size };
}

/** Is the edge a link beside a redirect of its source? */
function isOwnLink(label: EdgeLabel): boolean {
  const others = label & ~kindBit('redirect') & ~(classBit('link') | classBit('follow'));
  return hasClass(label, 'link') && others !== 0;
}

/** Captured pages without a link to another page; in the order of their URLs. */
export async function deadEnds(graph: LinkGraph): Promise<readonly string[]> {
  const { pages, final } = await graphFactsOf(graph);
  const found: string[] = [];
  let number = 0;
  for await (const { neighbours, labels } of graph.allEdges('out')) {
    const leadsOn = labels.some((label, index) => hasClass(label, 'link') && final[neighbours[index] ?? 0] !== number);
    if (pages.has(number) && !leadsOn) found.push(await graph.urlOf(number));
    number += 1;
  }
  return found;
}

/** The distances of pages from the seeds. */
interface PageDepths {
  /** Pages that were captured, by the number of clicks. */
  readonly pages: readonly number[];
  /** Captured pages that no chain of links leads to: named by sitemaps, feeds or speculative links. */
  readonly unreached: number;
  /** Clicks of each captured page, in the order of their URLs; null where it is not reached. */
  each(): AsyncGenerator<{ readonly url: string; readonly clicks: number | null }>;
}

/** Clicks on the shortest way from any seed; a redirect is no click. `nofollow` is no obstacle to a reader. */
export async function pageDepths(graph: LinkGraph): Promise<PageDepths> {
  const { pages, seeds, redirects } = await graphFactsOf(graph);
  const { clicks } = shortestWays(await linksOf(graph, (label) => hasClass(label, 'link')), seeds, redirects);
  const counts: number[] = [];
  let unreached = 0;
  for (const page of pages) {
    const depth = clicks[page] ?? NOWHERE;
    if (depth === NOWHERE) {
      unreached += 1;
      continue;
    }
    while (counts.length <= depth) counts.push(0);
    counts[depth] = (counts[depth] ?? 0) + 1;
  }
  return {
    pages: counts,
    unreached,
    async *each() {
      let number = 0;
      for await (const url of graph.allUrls()) {
        const depth = clicks[number] ?? NOWHERE;
        if (pages.has(number)) yield { url, clicks: depth === NOWHERE ? null : depth };
        number += 1;
      }
    },
  };
}

/** A step on the way from a seed to a page. */
export interface WayStep {
  readonly url: string;
  /** The link that leads here from the page before; null for the seed, and where the page before redirects. */
  readonly link: LinkRecord | null;
  /** The page before redirects here. */
  readonly redirected: boolean;
}

/** One shortest way from a seed to a URL; empty where no links lead there, null where no line names it. */
export async function wayToUrl(
  graph: LinkGraph,
  url: string,
  queries: Pick<LinkLookup, 'between'>,
): Promise<readonly WayStep[] | null> {
  const target = await graph.numberOf(url);
  if (target === null) return null;
  const { seeds, redirects } = await graphFactsOf(graph);
  const ways = shortestWays(await linksOf(graph, (label) => hasClass(label, 'link')), seeds, redirects);
  const steps: WayStep[] = [];
  let before: number | null = null;
  for (const node of wayTo(target, ways)) {
    const place = await graph.urlOf(node);
    const redirected: boolean = before !== null && redirects[before] === node;
    const link = before === null || redirected ? null : await queries.between(before, place);
    steps.push({ url: place, link, redirected });
    before = node;
  }
  return steps;
}

/** The facts of all URLs, in flat arrays. */
interface GraphFacts {
  /** URLs of pages that were captured. */
  readonly pages: NodeSet;
  /** Those of these pages that ask that their links are not followed. */
  readonly nofollow: NodeSet;
  readonly seeds: readonly number[];
  /** The target of each redirect, or {@link NOWHERE}. */
  readonly redirects: Uint32Array;
  /** The final target of each URL. */
  readonly final: Uint32Array;
}

export async function graphFactsOf(graph: LinkGraph): Promise<GraphFacts> {
  const [pages, nofollow] = [new NodeSet(graph.size), new NodeSet(graph.size)];
  const seeds: number[] = [];
  const redirects = new Uint32Array(graph.size).fill(NOWHERE);
  let number = 0;
  const take = ({ outcome, isSeed, isNofollow, redirect }: NodeEntry): void => {
    if (outcome === 'captured') pages.add(number);
    if (isNofollow) nofollow.add(number);
    if (isSeed) seeds.push(number);
    if (redirect !== null) redirects[number] = redirect;
  };
  for await (const node of graph.allNodes()) {
    take(node);
    number += 1;
  }
  return { pages, nofollow, seeds, redirects, final: finalTargets(redirects) };
}

/** All edges whose label passes. */
async function linksOf(graph: LinkGraph, isAsked: (label: EdgeLabel) => boolean): Promise<ForwardGraph> {
  const builder = new ForwardGraphBuilder(graph.size);
  for await (const { neighbours, labels } of graph.allEdges('out')) {
    for (const [index, neighbour] of neighbours.entries()) if (isAsked(labels[index] ?? 0)) builder.edge(neighbour);
    builder.endNode();
  }
  return builder.build();
}

/** Some of the nodes; a byte each. */
export class NodeSet {
  readonly #has: Uint8Array;

  constructor(nodes: number) {
    this.#has = new Uint8Array(nodes);
  }

  add(node: number): void {
    this.#has[node] = 1;
  }

  has(node: number): boolean {
    return this.#has[node] === 1;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let node = this.#has.indexOf(1); node !== -1; node = this.#has.indexOf(1, node + 1)) yield node;
  }
}
