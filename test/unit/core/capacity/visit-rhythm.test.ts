import { expect, test } from 'vitest';
import { VisitRhythm } from '../../../../src/core/capacity/visit-rhythm.ts';

/** Share of visits whose domain has a page at rest, if `room` pages may rest. */
function hitsOf(domains: readonly number[], room: number): number {
  const rhythm = new VisitRhythm<number>();
  const resting = new Set<number>();
  let hits = 0;
  for (const domain of domains) {
    rhythm.visited(domain);
    if (resting.has(domain)) hits += 1;
    resting.add(domain);
    if (resting.size <= room) continue;
    const last = [...resting].toSorted((one, other) => rhythm.untilNext(other) - rhythm.untilNext(one))[0];
    if (last !== undefined) resting.delete(last);
  }
  return hits / domains.length;
}

/** Visits of that many domains in turns. */
const turns = (domains: number, rounds: number, first = 0): readonly number[] =>
  Array.from({ length: domains * rounds }, (_, at) => first + (at % domains));

test('domains in turns find their pages as often as there are pages for them', () => {
  expect(hitsOf(turns(16, 20), 16)).toBe(19 / 20);
  // with 24 in turns the longest unused page is the next one needed: letting that go would give no hit at all
  expect(hitsOf(turns(24, 20), 16)).toBeGreaterThan(0.55);
  expect(hitsOf(turns(64, 20), 16)).toBeGreaterThan(0.18);
});

test('a domain that is visited every other time keeps its page among many that are visited once', () => {
  const visits = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 0 : at));
  expect(hitsOf(visits, 4)).toBe(199 / 400);
});

test('pages of domains that are over make room for those that follow', () => {
  const after = turns(16, 20, 100);
  const hits = hitsOf([...turns(16, 20), ...after], 16);
  // the new domains miss in three rounds of twenty
  expect(hits).toBeGreaterThan((19 + 17) / 40 - 0.001);
});

test('a domain is expected by its rhythm, and once that is broken to stay away as long as it has been', () => {
  const rhythm = new VisitRhythm<string>();
  const others = (visits: number): void => {
    for (let n = 0; n < visits; n++) rhythm.visited('other');
  };
  others(2);
  expect(rhythm.untilNext('a')).toBe(2);
  rhythm.visited('a');
  others(3);
  expect(rhythm.untilNext('a')).toBe(3);
  others(6);
  rhythm.visited('a');
  others(3);
  expect(rhythm.untilNext('a')).toBe(7);
  others(12);
  expect(rhythm.untilNext('a')).toBe(0);
  others(10);
  expect(rhythm.untilNext('a')).toBe(25);
  others(4);
  rhythm.visited('a');
  // the mean of ten visits and thirty
  expect(rhythm.untilNext('a')).toBe(20);
});
