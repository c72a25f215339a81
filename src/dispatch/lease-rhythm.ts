/**
 * How soon after a lease the next one follows. Where few of many slots are free the visits that end meanwhile are leased for together: by one call to the
 * frontier, and as one job.
 */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';

/** A slot is empty for so long at the most. That is seldom felt: where there are many slots a visit waits for its server most of its time. */
const GATHER: Milliseconds = milliseconds(20);
/** Few are less than this part of all, so of 16 slots or fewer none ever waits (arbitrary). */
const FEW = 1 / 16;

interface LeaseRhythm {
  /** To be called before each lease. @param slots of all crews @param signal rejects with its reason */
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
