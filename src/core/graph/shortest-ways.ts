/** Counts the clicks from the seeds to each page: breadth first; a redirect is no step of its own. */
import { nodeCount, type ForwardGraph } from './forward-graph.ts';

/** Stands for a node that no way leads to, and for the node before a seed. */
export const NOWHERE = 0xffff_ffff;

interface ShortestWays {
  /** Clicks from the nearest seed; {@link NOWHERE} where there is no way. */
  readonly clicks: Uint32Array;
  /** The node before on one shortest way; for the target of a redirect, the node that redirects. */
  readonly before: Uint32Array;
}

/** @param redirects the node that each node redirects to, {@link NOWHERE} where it does not */
export function shortestWays(graph: ForwardGraph, seeds: readonly number[], redirects: Uint32Array): ShortestWays {
  const count = nodeCount(graph);
  const clicks = new Uint32Array(count).fill(NOWHERE);
  const before = new Uint32Array(count).fill(NOWHERE);
  /** Nodes in the order in which they were reached: those of one level stand together. */
  const reached = new Uint32Array(count);
  let end = 0;
  const reach = (first: number, from: number, depth: number): void => {
    let node = first;
    let previous = from;
    while (node !== NOWHERE && clicks[node] === NOWHERE) {
      clicks[node] = depth;
      before[node] = previous;
      reached[end++] = node;
      previous = node;
      node = redirects[node] ?? NOWHERE;
    }
  };
  for (const seed of seeds) reach(seed, NOWHERE, 0);
  for (let at = 0; at < end; at += 1) {
    const node = reached[at] ?? 0;
    const depth = (clicks[node] ?? 0) + 1;
    if ((redirects[node] ?? NOWHERE) !== NOWHERE) continue; // no page is shown there
    for (let edge = graph.starts[node] ?? 0; edge < (graph.starts[node + 1] ?? 0); edge += 1) {
      reach(graph.targets[edge] ?? 0, node, depth);
    }
  }
  return { clicks, before };
}

/** The nodes of one shortest way, from a seed to the node; empty where there is none. */
export function wayTo(node: number, { clicks, before }: ShortestWays): readonly number[] {
  const way: number[] = [];
  if (clicks[node] === NOWHERE) return way;
  for (let at = node; at !== NOWHERE; at = before[at] ?? NOWHERE) way.push(at);
  return way.toReversed();
}

/** The end of each chain of redirects; a circle ends within itself. */
export function finalTargets(redirects: Uint32Array): Uint32Array {
  const final = new Uint32Array(redirects.length);
  for (let node = 0; node < final.length; node += 1) {
    let at = node;
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      const next = redirects[at] ?? NOWHERE;
      if (next === NOWHERE || next === node) break;
      at = next;
    }
    final[node] = at;
  }
  return final;
}

/** Browsers give up after 20. */
const MOST_HOPS = 20;
