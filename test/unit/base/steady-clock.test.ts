import { expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { steadyClock } from '../../../src/base/steady-clock.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { handClock } from '../../support/hand-clock.ts';

/** A clock whose time of day is the first number, and whose monotonic time is the second. */
function setClock(): { wall: number; passed: number; readonly clock: Clock } {
  const set = {
    wall: 1_000_000,
    passed: 0,
    clock: { ...handClock(), now: () => epochMs(set.wall), monotonic: () => milliseconds(set.passed) },
  };
  return set;
}

it('goes on at the pace of the monotonic clock where the time of day is set back, until it is set forward again', () => {
  const base = setClock();
  const clock = steadyClock(base.clock);
  const after = (passed: number, step: number): number => {
    base.passed += passed;
    base.wall += passed + step;
    return clock.now();
  };
  expect(after(500, 0)).toBe(1_000_500);
  expect(after(500, -3_600_000)).toBe(1_001_000);
  expect(after(700, 0)).toBe(1_001_700);
  expect(after(300, -3_600_000)).toBe(1_002_000);
  expect(after(1000, 7_200_000)).toBe(1_003_000);
  expect(base.wall).toBe(1_003_000);
});

it('follows the time of day forwards, as after a sleep of the machine, and in small steps', () => {
  const base = setClock();
  const clock = steadyClock(base.clock);
  base.wall += 7_200_000;
  expect(clock.now()).toBe(8_200_000);
  for (let second = 1; second <= 100; second += 1) {
    base.passed += 1000;
    base.wall += 990;
    expect(clock.now()).toBe(8_200_000 + second * 990);
  }
});

it('goes on from the time of a crawl that is ahead of it', () => {
  const base = setClock();
  const clock = steadyClock(base.clock);
  clock.catchUp(epochMs(900_000));
  expect(clock.now()).toBe(1_000_000);
  clock.catchUp(epochMs(1_086_400));
  expect(clock.now()).toBe(1_086_400);
  base.passed += 5000;
  base.wall += 5000;
  expect(clock.now()).toBe(1_091_400);
});
