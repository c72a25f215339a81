/**
 * How a host that fails is left alone: longer with every failure in a row, for hours after five of them, and never at once
 * as before when it answers again (design/scheduling, "Host health"). The scripts of the frontier reckon like this; here the
 * rules stand to be read, and to hold them against.
 */
import { hours, milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** Failures in a row after which a host counts as out of order: its circuit is open. */
export const CIRCUIT_FAILURES = 5;
/** How long a host is left alone whose circuit is open; longer where it asked for more. */
const CIRCUIT_OPEN: Milliseconds = hours(6);
/** A remainder of a pause that is shorter than this is none. */
const LEAST_PAUSE: Milliseconds = seconds(1);

export interface HostHealth {
  /** In a row. Those of visits that were out together count once. */
  readonly failures: number;
  /** What is left of the pause that failures have brought; added to no other delay, the longest of them holds. */
  readonly pause: Milliseconds;
}

export const WELL: HostHealth = { failures: 0, pause: milliseconds(0) };

export interface HostBackoff {
  /** After a first failure. */
  readonly wait: Milliseconds;
  /** The wait doubles with every further failure in a row, up to this; null where the host said itself how long. */
  readonly most: Milliseconds | null;
}

export interface AfterHostFailure {
  readonly health: HostHealth;
  /** The host is left alone for so long, from now. */
  readonly rest: Milliseconds;
  readonly circuit: 'closed' | 'open';
}

export function afterHostFailure(before: HostHealth, { wait, most }: HostBackoff): AfterHostFailure {
  const grown = most === null ? wait : milliseconds(Math.min(most, wait * 2 ** Math.min(before.failures, 20)));
  const failures = before.failures + 1;
  // what a host asks for once says nothing about the time after that
  const health = { failures, pause: most === null ? before.pause : grown };
  if (failures < CIRCUIT_FAILURES) return { health, rest: grown, circuit: 'closed' };
  return { health, rest: grown > CIRCUIT_OPEN ? grown : CIRCUIT_OPEN, circuit: 'open' };
}

/** One success ends the row and halves the pause; it does not take it away. */
export function afterHostSuccess({ pause }: HostHealth): HostHealth {
  const half = Math.floor(pause / 2);
  return { failures: 0, pause: milliseconds(half < LEAST_PAUSE ? 0 : half) };
}
