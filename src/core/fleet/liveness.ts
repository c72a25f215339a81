/**
 * Detects live processes by their heartbeats. A heartbeat is a number that its process raises; the observer notes by its own clock when
 * it last saw a new one. So no clock is compared with another one, and a wrong clock does not matter.
 */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** Time between two heartbeats. */
export const BEAT_EVERY: Milliseconds = seconds(1);
/** A process whose heartbeat stands still for so long counts as dead: three beats may be late. */
export const SILENCE: Milliseconds = milliseconds(4000);

/** The last heartbeat of a process, as observed. */
interface Heartbeat {
  readonly beat: number;
  /** Time at which this beat was first seen, on the observer's monotonic clock. */
  readonly at: Milliseconds;
  /** Was it seen to change, or to appear? A heartbeat from before the first look may be a dead process's. */
  readonly proven: boolean;
}

export type Heartbeats = ReadonlyMap<string, Heartbeat>;

/** @param before null at the first look */
export function look(before: Heartbeats | null, beats: ReadonlyMap<string, number>, now: Milliseconds): Heartbeats {
  return new Map(
    [...beats].map(([name, beat]) => {
      const known = before?.get(name);
      if (known === undefined) return [name, { beat, at: now, proven: before !== null }];
      return [name, known.beat === beat ? known : { beat, at: now, proven: true }];
    }),
  );
}

export function isBeating({ at, proven }: Heartbeat, now: Milliseconds): boolean {
  return proven && now - at < SILENCE;
}

/** Has a heartbeat stood still for so long, as far as it was observed? One that is seen for the first time has not. */
export function isSilent({ at }: Heartbeat, now: Milliseconds): boolean {
  return now - at >= SILENCE;
}
