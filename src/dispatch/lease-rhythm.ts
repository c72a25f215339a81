/**
 * Pause between one lease and the next. If few of many slots are free, visits that end in this time are leased for together: by one call to the
 * frontier, and as one job.
 */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';

/** Longest time that a slot stays empty. It rarely matters: with many slots a visit mostly waits for its server. */
const GATHER: Milliseconds = milliseconds(20);
/** Fewer free slots than this share of all count as few, so with 16 slots or fewer none ever waits (arbitrary). */
const FEW = 1 / 16;

export interface LeaseRhythm {
  /** Must be called before each lease. @param slots of all crews @param signal rejects with its reason */
  beat(slots: number, free: number, signal: AbortSignal): Promise<void>;
}

/** The first lease follows at once. */
export function createLeaseRhythm(clock: Pick<Clock, 'monotonic' | 'sleep'>): LeaseRhythm {
  let last = -Infinity;
  return {
    beat: async (slots, free, signal) => {
      const left = last + GATHER - clock.monotonic();
      if (left > 0 && free > 0 && free < slots * FEW) await clock.sleep(milliseconds(Math.ceil(left)), signal);
      last = clock.monotonic();
    },
  };
}
