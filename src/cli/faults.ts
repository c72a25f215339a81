/**
 * Errors that nothing in the program caught. The first one breaks the crawl off, and its state is saved; a further one meanwhile
 * ends the process at once, for the saving itself may be broken.
 */
import { fileURLToPath } from 'node:url';
import type { Clock } from '../base/clock.ts';
import { seconds } from '../base/units.ts';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** The source of errors: the process, or a test. */
export interface FaultSource {
  on(event: (typeof EVENTS)[number], listener: (error: unknown) => void): unknown;
  off(event: (typeof EVENTS)[number], listener: (error: unknown) => void): unknown;
}

/** One cause often fails in several places in the same moment. */
const ONE_FAULT = seconds(1);

/** The folder of the program; `src/cli` is in it. */
const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const STACK_LENGTH = 10_000;

/** The place at the end of a stack's line. */
const PLACE = /(file:\/\/[^\s()]{1,1000}|(?:\/|[A-Z]:\\)[^()]{1,1000}?):\d+:\d+\)?$/;

/** Was the error made in a file that was loaded for the user: an extension, a page script, a log-in? */
function isOfUserFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const lines = String(error.stack).slice(0, STACK_LENGTH).split('\n');
  return lines.some((line) => {
    const place = /^\s+at /.test(line) ? PLACE.exec(line)?.[1] : undefined;
    if (place === undefined) return false;
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    return !path.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/.test(path);
  });
}

/**
 * Calls back for the first fault (`break-off`) and for one that comes later (`at-once`). Disposed, it stops listening, unless
 * there was a fault: what failed once may fail until the process has ended. A promise that a file of the user did not wait for is not a fault
 * (`of-user`): with hooks a missing `await` is the commonest slip, and it must not cost the crawl.
 * @param hasUserFiles were files of the user loaded?
 */
export function listenForFaults(
  source: FaultSource,
  clock: Clock,
  onFault: (how: 'break-off' | 'at-once' | 'of-user', error: unknown) => void,
  hasUserFiles: boolean,
): Disposable {
  let first: number | null = null;
  const rejected = (error: unknown): void =>
    hasUserFiles && isOfUserFile(error) ? onFault('of-user', error) : receive(error);
  const receive = (error: unknown): void => {
    const now = clock.monotonic();
    const again = first !== null;
    first ??= now;
    if (!again) onFault('break-off', error);
    else if (now - first >= ONE_FAULT) onFault('at-once', error);
  };
  const listeners = { uncaughtException: receive, unhandledRejection: rejected };
  for (const event of EVENTS) source.on(event, listeners[event]);
  return {
    [Symbol.dispose]: () => {
      if (first === null) for (const event of EVENTS) source.off(event, listeners[event]);
    },
  };
}
