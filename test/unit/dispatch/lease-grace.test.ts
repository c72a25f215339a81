import { describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../../../src/base/log.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { createLeaseGrace } from '../../../src/dispatch/lease-grace.ts';

const never = (): Promise<void> => new Promise(() => {});

/** Two clocks that a test sets independently. */
function bench() {
  const time = { wall: 1_000_000, monotonic: 50 };
  const told: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_event, fields) => told.push(fields) };
  const clock = { now: () => epochMs(time.wall), monotonic: () => milliseconds(time.monotonic), sleep: never };
  const grace = createLeaseGrace({ clock, log, leaseFor: milliseconds(30_000), askedEvery: milliseconds(1000) });
  const pass = (wall: number, monotonic = wall): boolean => {
    time.wall += wall;
    time.monotonic += monotonic;
    return grace.isOver();
  };
  return { pass, told };
}

describe('the grace of leases', () => {
  it('is over as long as the dispatcher comes by', () => {
    const { pass, told } = bench();
    expect([1000, 900, 10_999, 0].map((time) => pass(time))).toEqual([true, true, true, true]);
    expect(told).toEqual([]);
  });

  it.each([
    ['the program stood still', 40_000, 40_000],
    ['the machine slept', 3_600_000, 100],
    ['the clock was set back', -3_600_000, 40_000],
  ])('lasts half a lease after %s, and that is said once', (_what, wall, monotonic) => {
    const { pass, told } = bench();
    expect(pass(wall, monotonic)).toBe(false);
    for (let second = 1; second < 15; second += 1) expect(pass(1000)).toBe(false);
    expect(pass(1000)).toBe(true);
    expect(told).toHaveLength(1);
  });
});
