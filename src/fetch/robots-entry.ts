/** The known state of one host's robots.txt, and the decisions based on it (RFC 9309 sections 2.3.1 and 2.4). Pure. */
import { between, hours, milliseconds, minutes, seconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { ROBOTS_KEEP_LIMIT, ROBOTS_LAST_COPY_LIMIT } from '../core/robots/unavailable.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';

/** The host has rules, or may be crawled freely. */
export type RobotsRules =
  | {
      readonly kind: 'body';
      /** At most 500 KiB of it, as sent (decoded); the same object for the same copy. */
      readonly body: Uint8Array;
      readonly status: number;
      readonly fetchedAt: EpochMs;
    }
  | { readonly kind: 'allow-all'; readonly why: string; readonly fetchedAt: EpochMs };

/** Rules are not available now. */
type RobotsTrouble =
  /** The server has trouble (5xx, 429): complete disallow. */
  | { readonly kind: 'forbid-all'; readonly why: string; readonly retryAfter?: Milliseconds | undefined }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string };

/** The last rules, while robots.txt cannot be had; `triedAt` is the time of the last request for it. */
type StandIn = RobotsRules & { readonly triedAt?: EpochMs };

/** `blocked`: the host's own address may not be connected to. Not stored, because it costs no request to find out. */
export type RobotsAnswer = StandIn | RobotsTrouble | { readonly kind: 'blocked'; readonly detail: string };

export interface RobotsEntry {
  /** The last good answer, of any age. */
  readonly rules: RobotsRules | null;
  /** The last try, if it failed. */
  readonly trouble: { readonly what: RobotsTrouble; readonly at: EpochMs; readonly times: number } | null;
}

/**
 * Pauses after failures: the first is a second, then doubled each time, up to an hour (arbitrary). Each is shorter than the wait
 * of the URL and its host after as many failures (core/politeness/backoff.ts), so that every other try asks the host again.
 */
const FIRST_TROUBLE_AGE: Milliseconds = seconds(1);
/** The first pause where the last rules serve meanwhile, so that nothing waits for the answer (arbitrary). */
const FIRST_STAND_IN_AGE: Milliseconds = minutes(5);
const LAST_TROUBLE_AGE: Milliseconds = hours(1);

export const NOTHING_KNOWN: RobotsEntry = { rules: null, trouble: null };

/**
 * The answer that is available without a request; null where the host must be asked.
 * @param maxRetryAfter longest Retry-After that is obeyed
 */
export function currentAnswer(
  entry: RobotsEntry,
  now: EpochMs,
  maxRetryAfter: Milliseconds = LAST_TROUBLE_AGE,
): RobotsAnswer | null {
  if (entry.trouble === null) {
    return entry.rules !== null && isWithin(entry.rules.fetchedAt, ROBOTS_KEEP_LIMIT, now) ? entry.rules : null;
  }
  const { what, at, times } = entry.trouble;
  const asked = what.kind === 'forbid-all' ? what.retryAfter : undefined;
  const rules = standIn(entry, now);
  const first = rules === null ? FIRST_TROUBLE_AGE : FIRST_STAND_IN_AGE;
  const usual = troubleAge(first, times);
  const granted = asked === undefined ? usual : milliseconds(Math.min(asked, maxRetryAfter));
  // while the last rules serve nothing waits for the answer: a host that asks for a short wait is not asked sooner
  const age = rules === null || granted > usual ? granted : usual;
  if (!isWithin(at, age, now)) return null;
  return rules ?? what;
}

/** The state after the host's answer. */
export function withAnswer(
  entry: RobotsEntry,
  answer: Exclude<RobotsAnswer, { kind: 'blocked' }>,
  now: EpochMs,
): RobotsEntry {
  if (answer.kind === 'body' || answer.kind === 'allow-all') return { rules: answer, trouble: null };
  return { rules: entry.rules, trouble: { what: answer, at: now, times: (entry.trouble?.times ?? 0) + 1 } };
}

/** The last rules serve while the server has trouble, if they are not too old. */
function standIn({ rules, trouble }: RobotsEntry, now: EpochMs): StandIn | null {
  if (rules === null || trouble === null) return null;
  return isWithin(rules.fetchedAt, ROBOTS_LAST_COPY_LIMIT, now) ? { ...rules, triedAt: trouble.at } : null;
}

function troubleAge(first: Milliseconds, times: number): Milliseconds {
  return milliseconds(Math.min(LAST_TROUBLE_AGE, first * 2 ** Math.min(times - 1, 12)));
}

/** Is a time recent? One in the future was written before the clock was set back: it counts as long ago. */
function isWithin(start: EpochMs, age: Milliseconds, now: EpochMs): boolean {
  return start <= now && between(start, now) < age;
}
