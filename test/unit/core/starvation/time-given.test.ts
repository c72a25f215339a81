import { expect, test } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { timeHad, timeGiven, type ProcessorLook, type ThreadTime } from '../../../../src/core/starvation/time-given.ts';

/** Each thread as [ran, waited]. */
function look(at: number, threads: readonly (readonly [number, number])[], changes: Partial<ProcessorLook> = {}) {
  const times = threads.map(([ran, waited], index): [number, ThreadTime] => [index, { ran, waited }]);
  return { at: milliseconds(at), threads: new Map(times), stopped: false, cores: 2, ...changes };
}

const ROWS: readonly (readonly [string, number, readonly (readonly [number, number])[], number])[] = [
  ['one that rests though a processor is free is given all of it', 200, [[0, 0]], 200],
  ['one that computes without a break is given all of it', 200, [[200, 0]], 200],
  ['one that runs half of what it wants is given half', 200, [[50, 50]], 100],
  ['its threads count together', 400, [[60, 20], [40, 180]], 400 / 3], // prettier-ignore
  ['one that only waits is given the least there is', 300, [[0, 300]], 30],
  ['one whose own threads keep its others from running has all processors', 200, [[100, 0], [300, 0], [0, 200], [0, 900]], 200], // prettier-ignore
  ['what comes late counts for half a second', 60_000, [[10, 10]], 250],
];

test.each(ROWS)('%s', (_title, elapsed, threads, given) => {
  const before = look(1000, threads.map(() => [0, 0])); // prettier-ignore
  expect(timeGiven(before, look(1000 + elapsed, threads))).toBeCloseTo(given);
});

test('one that is stopped by a signal is given the least there is, whatever the last of its threads did', () => {
  expect(timeGiven(look(0, [[0, 0]]), look(300, [[300, 0]], { stopped: true }))).toBeCloseTo(15);
});

test('only what was done since the first look counts, of a thread that is new all of it', () => {
  expect(timeGiven(look(0, [[900, 100]]), look(200, [[950, 150]]))).toBeCloseTo(100);
  expect(timeGiven(look(0, []), look(200, [[20, 60]]))).toBeCloseTo(50);
  expect(timeGiven(look(0, [[900, 900]]), look(200, []))).toBe(200);
});

test('a clock that did not move gives nothing', () => {
  expect(timeGiven(look(10, [[0, 0]]), look(10, [[5, 0]]))).toBe(0);
  expect(timeGiven(look(10, [[0, 0]]), look(5, [[5, 0]]))).toBe(0);
});

test('a page has had real time of its limit, but no more than twice what was given', () => {
  expect(timeHad({ real: 1000, given: 1000 })).toBe(1000);
  expect(timeHad({ real: 1000, given: 500 })).toBe(1000);
  expect(timeHad({ real: 1000, given: 499 })).toBe(998);
  expect(timeHad({ real: 4000, given: 500 })).toBe(1000);
});
