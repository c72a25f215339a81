/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/base/clock.ts';
import { epochMs, milliseconds, type Milliseconds } from '../../src/base/units.ts';

export interface HandClock extends Clock {
  /** Lets time pass: every sleep that ends in between wakes at its own time, and its consequences finish before the next wakes. */
  run(duration: Milliseconds): Promise<void>;
  /** Resolves when everything that needs neither time nor network has run. */
  settled(): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function handClock(): HandClock {
  let time = 0;
  const sleepers = new Set<Sleeper>();

  async function run(duration: Milliseconds): Promise<void> {
    const end = time + duration;
    for (;;) {
      await settled();
      const next = [...sleepers].sort((one, other) => one.at - other.at).find(({ at }) => at <= end);
      if (next === undefined) break;
      time = Math.max(time, next.at);
      sleepers.delete(next);
      next.wake();
    }
    time = end;
    await settled();
  }

  return {
    now: () => epochMs(time),
    monotonic: () => milliseconds(time),
    sleep: (duration, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const giveUp = (): void => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        };
        const sleeper: Sleeper = {
          at: time + duration,
          wake: () => {
            signal.removeEventListener('abort', giveUp);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
    run,
    settled,
  };
}

/** All promise chains have run when the event loop turns; two turns, for code that uses a turn itself. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
