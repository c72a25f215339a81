/**
 * Which processes are alive, by their heartbeats. A heartbeat is a number that its process raises; who looks notes by a clock of its own when
 * it last saw a new one. So no clock is compared with another one, and it does not matter which of them is wrong.
 */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** Between two heartbeats. */
export const BEAT_EVERY: Milliseconds = seconds(1);
/** Whose heartbeat stands still for so long is taken for dead: three beats may be late. */
export const SILENCE: Milliseconds = milliseconds(4000);

/** The last heartbeat that was seen of one of them. */
interface Heartbeat {
  readonly beat: number;
  /** When this beat was first seen, on the monotonic clock of who looks. */
  readonly at: Milliseconds;
  /** Was it seen to change, or to come? What was there before the first look may have been left by the dead. */
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
