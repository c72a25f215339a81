/**
 * Callbacks of node have nobody above them: what one throws ends the process. Here it costs the request that it was for.
 */
import type { Log } from '../../base/log.ts';

/** Runs an act; where it throws, that is logged as a fault of the program and what the act was for is ended. Never throws. */
export type FaultGuard = (act: () => void, end: () => void) => void;

/** A guard that tells its log of every fault. */
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
