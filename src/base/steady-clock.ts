import type { Clock } from './clock.ts';
import { epochMs, seconds, type EpochMs } from './units.ts';

/** A smaller step is taken as it is (arbitrary): the frontier stands still for as long. */
const STEP = seconds(1);

export interface SteadyClock extends Clock {
  /** Goes on from this time if it is ahead: that of a crawl which began by another clock, or before this one was set back. */
  catchUp(time: EpochMs): void;
}

/**
 * A clock whose time of day goes on where that of the base is set back by an administrator or a time server, until it is set forward again. The
 * frontier never goes back in time: by a clock that is an hour behind it would visit nothing for an hour.
 */
export function steadyClock(base: Clock): SteadyClock {
  let ahead = 0;
  let before = { time: base.now(), monotonic: base.monotonic() };
  const now = (): EpochMs => {
    const monotonic = base.monotonic();
    const missing = before.time + (monotonic - before.monotonic) - (base.now() + ahead);
    if (Math.abs(missing) > STEP) ahead = Math.max(0, ahead + Math.round(missing));
    const time = epochMs(base.now() + ahead);
    before = { time, monotonic };
    return time;
  };
  return {
    now,
    catchUp: (time) => {
      const missing = Math.max(0, time - now());
      ahead += missing;
      before = { ...before, time: epochMs(before.time + missing) };
    },
    monotonic: () => base.monotonic(),
    sleep: (duration, signal) => base.sleep(duration, signal),
  };
}
