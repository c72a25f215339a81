import { expect, test } from 'vitest';
import { ForwardGraphBuilder, type ForwardGraph } from '../../../../src/core/graph/forward-graph.ts';
import { finalTargets, NOWHERE, shortestWays, wayTo } from '../../../../src/core/graph/shortest-ways.ts';

function graphOf(lists: readonly (readonly number[])[]): ForwardGraph {
  const builder = new ForwardGraphBuilder(lists.length);
  for (const list of lists) {
    for (const target of list) builder.edge(target);
    builder.endNode();
  }
  return builder.build();
}

const noRedirects = (size: number): Uint32Array => new Uint32Array(size).fill(NOWHERE);

test('the shortest way counts clicks from the nearest seed', () => {
  const ways = shortestWays(graphOf([[1, 2], [3], [4], [4], [0], []]), [0], noRedirects(6));
  expect([...ways.clicks]).toEqual([0, 1, 1, 2, 2, NOWHERE]);
  expect(wayTo(4, ways)).toEqual([0, 2, 4]);
  expect(wayTo(5, ways)).toEqual([]);
  expect([...shortestWays(graphOf([[1], [2], [], []]), [3, 1], noRedirects(4)).clicks]).toEqual([NOWHERE, 0, 1, 0]);
});

test('a redirect is no click, and stands on the way', () => {
  const redirects = Uint32Array.of(NOWHERE, 2, 3, NOWHERE, NOWHERE);
  const ways = shortestWays(graphOf([[1], [2], [3], [4], []]), [0], redirects);
  expect([...ways.clicks]).toEqual([0, 1, 1, 1, 2]);
  expect(wayTo(4, ways)).toEqual([0, 1, 2, 3, 4]);
});

test('redirects that go round end, and so does the way', () => {
  const redirects = Uint32Array.of(NOWHERE, 2, 1, NOWHERE);
  const ways = shortestWays(graphOf([[1, 3], [2], [1], []]), [0], redirects);
  expect([...ways.clicks]).toEqual([0, 1, 1, 1]);
  expect([...finalTargets(redirects)]).toEqual([0, 2, 1, 3]);
  expect([...finalTargets(Uint32Array.of(1, 2, NOWHERE))]).toEqual([2, 2, 2]);
});
