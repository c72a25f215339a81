/**
 * Leases run out by the clock, and after a time in which the program did not run, or Redis was away, all of them would at once,
 * although their visits are alive. Whoever takes leases back asks here first: after such a gap the workers get time to renew theirs.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';

interface LeaseGraceOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long a lease lasts; a worker renews it three times as often. */
  readonly leaseFor: Milliseconds;
  /** How long the caller may sleep between two questions. */
  readonly askedEvery: Milliseconds;
}

interface LeaseGrace {
  /** May leases be taken back now? Asked at every turn of the dispatcher, for it is the time between two questions that tells. */
  isOver(): boolean;
}

export function createLeaseGrace({ clock, log, leaseFor, askedEvery }: LeaseGraceOptions): LeaseGrace {
  const longest = askedEvery + leaseFor / 3;
  let [wall, monotonic] = [clock.now(), clock.monotonic()];
  let until = monotonic;

  /** A machine that slept shows in the wall clock alone, one whose time was set back in the other. */
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
