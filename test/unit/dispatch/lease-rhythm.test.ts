import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { createLeaseRhythm } from '../../../src/dispatch/lease-rhythm.ts';
import { handClock } from '../../support/hand-clock.ts';

const NEVER = new AbortController().signal;

/** How long the second of two leases waits, if it follows the first after `pause` milliseconds. */
async function wait(slots: number, free: number, pause = 0): Promise<number> {
  let slept = 0;
  let now = 1000;
  const rhythm = createLeaseRhythm({
    monotonic: () => milliseconds(now),
    sleep: (time) => {
      slept += time;
      return Promise.resolve();
    },
  });
  await rhythm.beat(slots, slots, NEVER);
  now += pause;
  await rhythm.beat(slots, free, NEVER);
  return slept;
}

describe('the next lease', () => {
  it.each([
    ['waits where few of many slots are free', 128, 7, 0, 20],
    ['waits for the rest of that time', 128, 1, 15, 5],
    ['follows at once where more are free', 128, 8, 0, 0],
    ['follows at once where all are free', 128, 128, 0, 0],
    ['follows at once where the last one is long ago', 128, 1, 20, 0],
    ['follows at once of sixteen slots', 16, 1, 0, 0],
    ['follows at once where none is free, for then nothing is leased', 128, 0, 0, 0],
  ])('%s', async (_what, slots, free, pause, slept) => {
    expect(await wait(slots, free, pause)).toBe(slept);
  });

  it('does not wait for what is given up', async () => {
    const rhythm = createLeaseRhythm(handClock());
    const stop = new AbortController();
    await rhythm.beat(128, 128, stop.signal);
    const waiting = rhythm.beat(128, 1, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
