/**
 * An exception in a callback of node ends the process. Under this guard it costs only the request that the callback was for.
 */
import type { Log } from '../../base/log.ts';

/** Runs an act; if it throws, logs that as a fault of the program and ends the act's request. Never throws. */
export type FaultGuard = (act: () => void, end: () => void) => void;

/** A guard that logs every fault. */
export function faultGuard(log: Log): FaultGuard {
  const report = (error: unknown): void => {
    log.error('fault in the egress', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  };
  return (act, end) => {
    try {
      act();
    } catch (error) {
      report(error);
      try {
        end();
      } catch (another) {
        report(another);
      }
    }
  };
}
