/** The known state of one host's robots.txt, and the rules for it (RFC 9309 sections 2.3.1 and 2.4). Pure. */
import { between, hours, milliseconds, minutes, type EpochMs, type Milliseconds } from '../base/units.ts';
import { ROBOTS_KEEP_LIMIT, ROBOTS_LAST_COPY_LIMIT } from '../core/robots/unavailable.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';

/** The host has rules, or may be crawled freely. */
export type RobotsRules =
  | {
      readonly kind: 'body';
      /** At most 500 KiB of it, as sent (decoded); the same object for as long as it is the same copy. */
      readonly body: Uint8Array;
      readonly status: number;
      readonly fetchedAt: EpochMs;
    }
  | { readonly kind: 'allow-all'; readonly why: string; readonly fetchedAt: EpochMs };

/** No rules could be had now. */
type RobotsTrouble =
  /** The server has trouble (5xx, 429): complete disallow. */
  | { readonly kind: 'forbid-all'; readonly why: string; readonly retryAfter?: Milliseconds | undefined }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string };

/** `blocked`: the host's own address may not be connected to. That is not kept, as it costs no request to find out. */
export type RobotsAnswer = RobotsRules | RobotsTrouble | { readonly kind: 'blocked'; readonly detail: string };

export interface RobotsEntry {
  /** The last good answer, however old. */
  readonly rules: RobotsRules | null;
  /** The last try, where it failed. */
  readonly trouble: { readonly what: RobotsTrouble; readonly at: EpochMs; readonly times: number } | null;
}

/** After a failure the host is asked again in 5 minutes, then in twice as long, up to an hour (arbitrary). */
const FIRST_TROUBLE_AGE: Milliseconds = minutes(5);
const LAST_TROUBLE_AGE: Milliseconds = hours(1);

export const NOTHING_KNOWN: RobotsEntry = { rules: null, trouble: null };

/**
 * The answer that needs no question to the host; null where it must be asked.
 * @param maxRetryAfter the most of a Retry-After that is waited for
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
  const age = asked === undefined ? troubleAge(times) : milliseconds(Math.min(asked, maxRetryAfter));
  if (!isWithin(at, age, now)) return null;
  return standIn(entry, now) ?? what;
}

/** The state after the host was asked. */
export function withAnswer(
  entry: RobotsEntry,
  answer: Exclude<RobotsAnswer, { kind: 'blocked' }>,
  now: EpochMs,
): RobotsEntry {
  if (answer.kind === 'body' || answer.kind === 'allow-all') return { rules: answer, trouble: null };
  return { rules: entry.rules, trouble: { what: answer, at: now, times: (entry.trouble?.times ?? 0) + 1 } };
}

/** Yesterday's rules serve while the server has trouble. */
function standIn({ rules, trouble }: RobotsEntry, now: EpochMs): RobotsRules | null {
  if (rules === null || trouble === null) return null;
  return isWithin(rules.fetchedAt, ROBOTS_LAST_COPY_LIMIT, now) ? rules : null;
}

function troubleAge(times: number): Milliseconds {
  return milliseconds(Math.min(LAST_TROUBLE_AGE, FIRST_TROUBLE_AGE * 2 ** Math.min(times - 1, 10)));
}

/** A time that lies ahead was written by a clock that has been set back since: it counts as long ago. */
function isWithin(start: EpochMs, age: Milliseconds, now: EpochMs): boolean {
  return start <= now && between(start, now) < age;
}
