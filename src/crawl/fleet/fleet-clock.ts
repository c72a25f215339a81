/**
 * The controller's time of day, by which a crawl goes on a machine whose own clock may be wrong. A worker whose clock is an hour ahead would make
 * every host due at once, and one that is behind would let its leases run out.
 */
import { systemClock, type Clock } from '../../base/clock.ts';
import { epochMs, type EpochMs } from '../../base/units.ts';
import { isStep, surer, type OffsetSample } from '../../core/fleet/clock-offset.ts';

export interface FleetClock extends Clock {
  /** Takes a sample of the offset from the monotonic clock to the controller's time of day; the surest one counts. */
  set(time: OffsetSample): void;
}

/**
 * Samples in a row, one a second, that show a step of the clock and are still doubted. The server's clock may have been set, and the
 * controller has not noticed yet: once it has, samples agree with the known offset again.
 */
const STEPS_DOUBTED = 3;

export function createFleetClock(base: Clock = systemClock): FleetClock {
  let known: OffsetSample | null = null;
  let steps = 0;
  const now = (): EpochMs => (known === null ? base.now() : epochMs(Math.round(base.monotonic() + known.offset)));
  return {
    now,
    monotonic: () => base.monotonic(),
    sleep: (duration, signal) => base.sleep(duration, signal),
    set: (time) => {
      steps = known !== null && isStep(known, time) ? steps + 1 : 0;
      if (steps === 0) known = surer(known, time);
      else if (steps > STEPS_DOUBTED) known = time;
    },
  };
}
