import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { epochMs, milliseconds, type EpochMs, type Milliseconds } from './units.ts';

/** Where the program gets its time from; tests pass one that they turn by hand. */
export interface Clock {
  /** The time of day. It may be set back by an administrator: no duration is measured with it. */
  now(): EpochMs;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): Milliseconds;
  /** Resolves after the duration; rejects with the signal's reason when that comes first. */
  sleep(duration: Milliseconds, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => epochMs(Date.now()),
  monotonic: () => milliseconds(performance.now()),
  sleep: async (duration, signal) => {
    try {
      await wait(duration, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
