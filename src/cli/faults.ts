/**
 * Errors that nothing in the program caught. The crawl is broken off by the first, its state saved; a further one while that is
 * done ends the process at once, for what is broken then may be what saves.
 */
import type { Clock } from '../base/clock.ts';
import { seconds } from '../base/units.ts';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** Where they come from: the process, or a test. */
export interface FaultSource {
  on(event: (typeof EVENTS)[number], listener: (error: unknown) => void): unknown;
  off(event: (typeof EVENTS)[number], listener: (error: unknown) => void): unknown;
}

/** One cause often fails in several places in the same moment. */
const ONE_FAULT = seconds(1);

/**
 * Calls back for the first fault (`break-off`) and for one that comes later (`at-once`). Disposed, it stops listening, unless
 * there was a fault: what failed once may fail until the process has ended.
 */
export function listenForFaults(
  source: FaultSource,
  clock: Clock,
  onFault: (how: 'break-off' | 'at-once', error: unknown) => void,
): Disposable {
  let first: number | null = null;
  const receive = (error: unknown): void => {
    const now = clock.monotonic();
    const again = first !== null;
    first ??= now;
    if (!again) onFault('break-off', error);
    else if (now - first >= ONE_FAULT) onFault('at-once', error);
  };
  for (const event of EVENTS) source.on(event, receive);
  return {
    [Symbol.dispose]: () => {
      if (first === null) for (const event of EVENTS) source.off(event, receive);
    },
  };
}
