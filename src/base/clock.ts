import { performance } from 'node:perf_hooks';
import { epochMs, milliseconds, type EpochMs, type Milliseconds } from './units.ts';

/** The program's source of time; tests pass one that they turn by hand. */
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
  // by hand: the one of node:timers/promises makes an error whenever it is woken, and sleeps are woken for every page
  sleep: (duration, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', wake);
        resolve();
      }, duration);
      signal.addEventListener('abort', wake, { once: true });
    }),
};
