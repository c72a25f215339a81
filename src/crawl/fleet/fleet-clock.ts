/**
 * The time of day by which a crawl goes, on a machine whose own clock may be wrong: the controller's. A worker whose clock is an hour ahead would make
 * every host due at once, and one that is behind would let its leases run out.
 */
import { systemClock, type Clock } from '../../base/clock.ts';
import { epochMs, type EpochMs, type Milliseconds } from '../../base/units.ts';

export interface FleetClock extends Clock {
  /** Takes the controller's time as it was heard. @param heard on the monotonic clock: half-way between question and answer */
  set(now: number, heard: Milliseconds): void;
}

export function createFleetClock(base: Clock = systemClock): FleetClock {
  let known: { readonly now: number; readonly heard: Milliseconds } | null = null;
  const now = (): EpochMs =>
    known === null ? base.now() : epochMs(Math.round(known.now + (base.monotonic() - known.heard)));
  return {
    now,
    monotonic: () => base.monotonic(),
    sleep: (duration, signal) => base.sleep(duration, signal),
    set: (time, heard) => {
      known = { now: time, heard };
    },
  };
}
