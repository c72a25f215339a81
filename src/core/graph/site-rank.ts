/**
 * Rank of sites: the links between the pages of two registrable domains are one edge of weight 1 + ln(their number), so
 * that a thousand links of one site are no thousand votes. Links within a domain do not count: it would vote for itself.
 */
import { nodeCount, type ForwardGraph } from './forward-graph.ts';
import { pageRank } from './page-rank.ts';

/** @param siteOf the site of each page, numbered from 0 @returns the rank of each site; their sum is 1 */
export function siteRank(pages: ForwardGraph, siteOf: Uint32Array, sites: number): Float64Array {
  return pageRank(siteGraph(pages, siteOf, sites));
}

export function siteGraph(pages: ForwardGraph, siteOf: Uint32Array, sites: number): ForwardGraph {
  const links = countLinks(pages, siteOf, sites);
  const starts = new Uint32Array(sites + 1);
  const targets: number[] = [];
  const weights: number[] = [];
  for (const [site, counts] of links.entries()) {
    for (const [target, count] of [...counts].toSorted(([one], [other]) => one - other)) {
      targets.push(target);
      weights.push(1 + Math.log(count));
    }
    starts[site + 1] = targets.length;
  }
  return { starts, targets: Uint32Array.from(targets), weights: Float64Array.from(weights) };
}

function countLinks(pages: ForwardGraph, siteOf: Uint32Array, sites: number): readonly ReadonlyMap<number, number>[] {
  const links = Array.from({ length: sites }, () => new Map<number, number>());
  for (let node = 0; node < nodeCount(pages); node += 1) {
    const site = siteOf[node] ?? 0;
    const counts = links[site];
    for (let edge = pages.starts[node] ?? 0; edge < (pages.starts[node + 1] ?? 0); edge += 1) {
      const target = siteOf[pages.targets[edge] ?? 0] ?? 0;
      if (target !== site) counts?.set(target, (counts.get(target) ?? 0) + 1);
    }
  }
  return links;
}
