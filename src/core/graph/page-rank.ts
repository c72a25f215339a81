/**
 * PageRank over forward edges alone, as in WIRE (Baeza-Yates & Castillo): no edge is needed in the other direction, and
 * the memory beside the graph is two numbers a node.
 */
import { nodeCount, type ForwardGraph } from './forward-graph.ts';

/** The reader's chance to leave for any page at each step (Brin & Page: 1 - .85). */
const JUMP = 0.15;
/** The sum of all changes at which it ends. */
const TOLERANCE = 1e-10;
/** The error falls by .85 at each step: .85^150 is 3e-11. */
const MOST_STEPS = 150;

interface PageRankOptions {
  readonly jump?: number;
  readonly tolerance?: number;
  readonly steps?: number;
}

/** @returns the rank of each node; their sum is 1. The rank of nodes without edges goes to all nodes equally. */
export function pageRank(graph: ForwardGraph, options: PageRankOptions = {}): Float64Array {
  const { jump = JUMP, tolerance = TOLERANCE, steps = MOST_STEPS } = options;
  const count = nodeCount(graph);
  let ranks = new Float64Array(count).fill(1 / count);
  let next = new Float64Array(count);
  for (let step = 0; step < steps; step += 1) {
    const change = walk(graph, { ranks, next, jump });
    [ranks, next] = [next, ranks];
    if (change < tolerance) break;
  }
  return ranks;
}

interface Step {
  readonly ranks: Float64Array;
  /** Gets the new ranks. */
  readonly next: Float64Array;
  readonly jump: number;
}

/** One step of all readers at once. @returns the sum of the changes */
function walk(graph: ForwardGraph, { ranks, next, jump }: Step): number {
  const count = ranks.length;
  next.fill(0);
  let dangling = 0;
  for (let node = 0; node < count; node += 1) dangling += give(graph, node, { rank: ranks[node] ?? 0, next });
  let sum = 0;
  const base = jump / count + ((1 - jump) * dangling) / count;
  for (let node = 0; node < count; node += 1) {
    const rank = base + (1 - jump) * (next[node] ?? 0);
    next[node] = rank;
    sum += rank;
  }
  let change = 0;
  for (let node = 0; node < count; node += 1) {
    const rank = (next[node] ?? 0) / sum; // rounding must not grow from step to step
    next[node] = rank;
    change += Math.abs(rank - (ranks[node] ?? 0));
  }
  return change;
}

/** Divides a node's rank among its targets. @returns the rest: all of it where there is no target */
function give(
  { starts, targets, weights }: ForwardGraph,
  node: number,
  { rank, next }: { readonly rank: number; readonly next: Float64Array },
): number {
  const start = starts[node] ?? 0;
  const end = starts[node + 1] ?? 0;
  if (end === start) return rank;
  if (weights === undefined) {
    const share = rank / (end - start);
    for (let edge = start; edge < end; edge += 1) add(next, targets[edge] ?? 0, share);
    return 0;
  }
  let total = 0;
  for (let edge = start; edge < end; edge += 1) total += weights[edge] ?? 0;
  for (let edge = start; edge < end; edge += 1) add(next, targets[edge] ?? 0, (rank * (weights[edge] ?? 0)) / total);
  return 0;
}

function add(values: Float64Array, index: number, value: number): void {
  values[index] = (values[index] ?? 0) + value;
}
