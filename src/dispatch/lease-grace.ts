/**
 * Leases expire by the clock. After a pause of the program, or a time without Redis, all would expire at once, although their visits
 * are alive. The dispatcher asks here before it takes leases back: after such a gap the workers get time to renew theirs.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';

interface LeaseGraceOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Duration of a lease; a worker renews it three times as often. */
  readonly leaseFor: Milliseconds;
  /** Longest time between two calls of `isOver`, while the caller sleeps. */
  readonly askedEvery: Milliseconds;
}

export interface LeaseGrace {
  /** May leases be taken back now? Must be called at every turn of the dispatcher: the time between two calls reveals a gap. */
  isOver(): boolean;
}

export function createLeaseGrace({ clock, log, leaseFor, askedEvery }: LeaseGraceOptions): LeaseGrace {
  const longest = askedEvery + leaseFor / 3;
  let [wall, monotonic] = [clock.now(), clock.monotonic()];
  let until = monotonic;

  /** Longest time since the last call by either clock: only the wall clock shows a machine's sleep; the monotonic one cannot be set back. */
  function gap(): Milliseconds {
    const before = { wall, monotonic };
    [wall, monotonic] = [clock.now(), clock.monotonic()];
    return milliseconds(Math.max(0, wall - before.wall, monotonic - before.monotonic));
  }

  return {
    isOver: () => {
      const silence = gap();
      if (silence > longest) {
        until = milliseconds(monotonic + leaseFor / 2);
        log.warn('the program stood still, or Redis was away: leases are kept until their visits renew them', {
          silence,
        });
      }
      return monotonic >= until;
    },
  };
}
