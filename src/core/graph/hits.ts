/** Hubs and authorities (Kleinberg, JACM 1999) over forward edges alone. */
import { nodeCount, type ForwardGraph } from './forward-graph.ts';

const TOLERANCE = 1e-10;
/** Limit for graphs with two equally strong communities, where it does not converge. */
const MOST_STEPS = 200;

interface HubsAndAuthorities {
  /** Each of length 1 (L2); all 0 where there is no edge. */
  readonly hubs: Float64Array;
  readonly authorities: Float64Array;
}

/** a'[q] += h[p] for each edge p → q, then h'[p] = Σ a'[q]; both brought to length 1. */
export function hits(graph: ForwardGraph, steps: number = MOST_STEPS): HubsAndAuthorities {
  const count = nodeCount(graph);
  const authorities = new Float64Array(count);
  let hubs = normalise(new Float64Array(count).fill(1));
  for (let step = 0; step < steps; step += 1) {
    const next = new Float64Array(count);
    stepOf(graph, { hubs, authorities, next });
    const change = distance(hubs, next);
    hubs = next;
    if (change < TOLERANCE) break;
  }
  return { hubs, authorities };
}

function stepOf(
  { starts, targets }: ForwardGraph,
  {
    hubs,
    authorities,
    next,
  }: { readonly hubs: Float64Array; readonly authorities: Float64Array; readonly next: Float64Array },
): void {
  authorities.fill(0);
  for (let node = 0; node < hubs.length; node += 1) {
    const hub = hubs[node] ?? 0;
    for (let edge = starts[node] ?? 0; edge < (starts[node + 1] ?? 0); edge += 1) {
      const target = targets[edge] ?? 0;
      authorities[target] = (authorities[target] ?? 0) + hub;
    }
  }
  normalise(authorities);
  for (let node = 0; node < hubs.length; node += 1) {
    let hub = 0;
    for (let edge = starts[node] ?? 0; edge < (starts[node + 1] ?? 0); edge += 1)
      hub += authorities[targets[edge] ?? 0] ?? 0;
    next[node] = hub;
  }
  normalise(next);
}

function normalise(values: Float64Array): Float64Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  if (squares === 0) return values;
  const length = Math.sqrt(squares);
  for (let index = 0; index < values.length; index += 1) values[index] = (values[index] ?? 0) / length;
  return values;
}

function distance(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
  return sum;
}
