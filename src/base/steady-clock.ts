import type { Clock } from './clock.ts';
import { epochMs, seconds } from './units.ts';

/** A smaller step is taken as it is (arbitrary): the frontier stands still for as long. */
const STEP = seconds(1);

/**
 * A clock whose time of day goes on where that of the base is set back by an administrator or a time server, until it is set forward again. The
 * frontier never goes back in time: by a clock that is an hour behind it would visit nothing for an hour.
 */
export function steadyClock(base: Clock): Clock {
  let ahead = 0;
  let before = { time: base.now(), monotonic: base.monotonic() };
  return {
    now: () => {
      const monotonic = base.monotonic();
      const missing = before.time + (monotonic - before.monotonic) - (base.now() + ahead);
      if (Math.abs(missing) > STEP) ahead = Math.max(0, ahead + Math.round(missing));
      const time = epochMs(base.now() + ahead);
      before = { time, monotonic };
      return time;
    },
    monotonic: () => base.monotonic(),
    sleep: (duration, signal) => base.sleep(duration, signal),
  };
}
