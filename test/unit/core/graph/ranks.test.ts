import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ForwardGraphBuilder, type ForwardGraph } from '../../../../src/core/graph/forward-graph.ts';
import { hits } from '../../../../src/core/graph/hits.ts';
import { pageRank } from '../../../../src/core/graph/page-rank.ts';
import { siteGraph, siteRank } from '../../../../src/core/graph/site-rank.ts';

function graphOf(lists: readonly (readonly number[])[]): ForwardGraph {
  const builder = new ForwardGraphBuilder(lists.length);
  for (const list of lists) {
    for (const target of list) builder.edge(target);
    builder.endNode();
  }
  return builder.build();
}

/** Solves A x = b by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column; row < size; row += 1) {
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    }
    const chosen = rows[pivot] ?? [];
    rows[pivot] = rows[column] ?? [];
    rows[column] = chosen;
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = (row[column] ?? 0) / (chosen[column] ?? 1);
      for (let at = column; at <= size; at += 1) row[at] = (row[at] ?? 0) - factor * (chosen[at] ?? 0);
    }
  }
  return rows.map((row, index) => (row[size] ?? 0) / (row[index] ?? 1));
}

/** x = q/N + (1-q) (M + D) x as a linear system: M divides a rank among targets, and D spreads that of dangling pages over all. */
function denseRank(lists: readonly (readonly number[])[], weight: (from: number, to: number) => number = () => 1) {
  const size = lists.length;
  const matrix = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => Number(row === column)),
  );
  for (const [from, targets] of lists.entries()) {
    const unique = [...new Set(targets)];
    const total = unique.reduce((sum, to) => sum + weight(from, to), 0);
    for (let to = 0; to < size; to += 1) {
      const share = unique.length === 0 ? 1 / size : unique.includes(to) ? weight(from, to) / total : 0;
      const row = matrix[to];
      if (row !== undefined) row[from] = (row[from] ?? 0) - 0.85 * share;
    }
  }
  return solve(
    matrix,
    Array.from({ length: size }, () => 0.15 / size),
  );
}

const TOY: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'a circle': [[1], [2], [0]],
  'a star': [[1, 2, 3, 4], [0], [0], [0], [0]],
  'the graph of the golden vectors of credit': [[1], [3], [0, 1, 3], []],
  'no edge at all': [[], [], []],
  'one page': [[]],
  'two parts': [[1], [0], [3], [2, 4], []],
  'links that are there twice': [[1, 1, 1, 2], [2], [0]],
};

const lists = fc
  .integer({ min: 1, max: 12 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 6 }), { minLength: size, maxLength: size }));

describe('PageRank', () => {
  test.each(Object.entries(TOY))('of %s is what a dense linear solve gives', (_name, toy) => {
    const ranks = pageRank(graphOf(toy));
    for (const [node, rank] of denseRank(toy).entries()) expect(ranks[node]).toBeCloseTo(rank, 9);
  });

  test('of any graph is what a dense linear solve gives, and sums up to 1', () => {
    fc.assert(
      fc.property(lists, (any) => {
        const ranks = pageRank(graphOf(any));
        for (const [node, rank] of denseRank(any).entries()) expect(ranks[node]).toBeCloseTo(rank, 8);
        expect(Math.abs(ranks.reduce((sum, rank) => sum + rank, 0) - 1)).toBeLessThan(1e-9);
      }),
    );
  });

  test('does not depend on the numbers that pages have', () => {
    fc.assert(
      fc.property(
        lists.chain((any) =>
          fc.tuple(
            fc.constant(any),
            fc.shuffledSubarray(
              any.map((_, node) => node),
              { minLength: any.length },
            ),
          ),
        ),
        ([any, place]) => {
          const moved: number[][] = any.map(() => []);
          for (const [node, targets] of any.entries()) moved[place[node] ?? 0] = targets.map((to) => place[to] ?? 0);
          const [ranks, movedRanks] = [pageRank(graphOf(any)), pageRank(graphOf(moved))];
          for (const [node, rank] of ranks.entries()) expect(movedRanks[place[node] ?? 0]).toBeCloseTo(rank, 10);
        },
      ),
    );
  });

  test('sums up to 1 within 1e-9 on a graph of 100,000 pages with a third of them dangling', () => {
    const size = 100_000;
    let state = 7;
    const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
    const large = Array.from({ length: size }, (_, node) =>
      node % 3 === 0 ? [] : Array.from({ length: 5 }, () => Math.floor((next() / 2 ** 32) ** 3 * size)),
    );
    const sum = pageRank(graphOf(large)).reduce((total, rank) => total + rank, 0);
    expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
  });
});

describe('HITS', () => {
  test('gives the first eigenvectors of A·Aᵀ and Aᵀ·A', () => {
    const toy = [[3, 4], [3, 4, 5], [5], [], [], [0]];
    const { hubs, authorities } = hits(graphOf(toy));
    let hub = toy.map(() => 1);
    let authority = toy.map(() => 0);
    for (let step = 0; step < 500; step += 1) {
      const linked = (from: number, to: number): number => Number(toy[from]?.includes(to));
      authority = toy.map((_, to) => hub.reduce((sum, value, from) => sum + value * linked(from, to), 0));
      hub = toy.map((_, from) => authority.reduce((sum, value, to) => sum + value * linked(from, to), 0));
      const length = Math.hypot(...hub);
      hub = hub.map((value) => value / length);
    }
    const length = Math.hypot(...authority);
    for (const node of toy.keys()) {
      expect(hubs[node]).toBeCloseTo(hub[node] ?? 0, 8);
      expect(authorities[node]).toBeCloseTo((authority[node] ?? 0) / length, 8);
    }
  });

  test('has hubs and authorities of length 1, or 0 where there is no edge', () => {
    fc.assert(
      fc.property(lists, (any) => {
        const expected = any.some((list) => list.length > 0) ? 1 : 0;
        const { hubs, authorities } = hits(graphOf(any));
        if (expected === 1) expect(Math.hypot(...hubs)).toBeCloseTo(1, 9);
        expect(Math.hypot(...authorities)).toBeCloseTo(expected, 9);
      }),
    );
  });
});

describe('the rank of sites', () => {
  /** Pages 0 and 1 belong to site 0, 2 and 3 to site 1, 4 to site 2. */
  const sites = Uint32Array.of(0, 0, 1, 1, 2);
  const pages = [[1, 2, 3], [0, 2, 4], [3], [0, 2], []];

  test('counts the links between two sites by 1 + ln, and none within a site', () => {
    const { starts, targets, weights } = siteGraph(graphOf(pages), sites, 3);
    expect([...starts]).toEqual([0, 2, 3, 3]);
    expect([...targets]).toEqual([1, 2, 0]);
    expect([...(weights ?? [])]).toEqual([1 + Math.log(3), 1, 1]);
  });

  test('is what a dense linear solve of those weights gives', () => {
    const weight = (from: number, to: number): number => (from === 0 && to === 1 ? 1 + Math.log(3) : 1);
    const ranks = siteRank(graphOf(pages), sites, 3);
    for (const [site, rank] of denseRank([[1, 2], [0], []], weight).entries()) expect(ranks[site]).toBeCloseTo(rank, 9);
  });
});
