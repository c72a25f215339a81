/**
 * The consequences of a visit that brought no page, as a table: is the URL tried again, after what time, and is its host
 * left alone? (BUbiNG's ExceptionHostManager; numbers: design/scheduling, "Retries".)
 */
import { assertNever } from '../../base/assert-never.ts';
import type { Random } from '../../base/random.ts';
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';
import type { NetworkFailure, VisitOutcome } from '../../model/visit-outcome.ts';
import { askedWait } from './retry-after.ts';

/** The time for which a failed host is left alone. The frontier counts the failures in a row (frontier/lua/includes/health.lua). */
export interface HostBackoff {
  /** After a first failure. */
  readonly wait: Milliseconds;
  /** The wait doubles with every further failure in a row, up to this; null where the host itself set the wait. */
  readonly most: Milliseconds | null;
}

/** How a wait grows: first · 2^(n-1), at most `most`, times a random factor, so that clients do not come back together. */
interface Growth {
  readonly first: Milliseconds;
  readonly most: Milliseconds;
  /** The random factor lies between this and 1. */
  readonly least: number;
}

/** Growth for passing faults: short enough for somebody who watches, and a whole minute after the sixth in a row. */
const BRIEF: Growth = { first: seconds(2), most: seconds(60), least: 0.75 };
/** Growth for a host that says it has had enough: min(3600, 30 · 2^(n-1)) · U(0.5, 1) s (design/scheduling, "Retries"). */
const LONG: Growth = { first: seconds(30), most: seconds(3600), least: 0.5 };

interface FailureRule {
  readonly retried: boolean;
  readonly growth: Growth;
  /** The host's other URLs wait as well. */
  readonly blamesHost: boolean;
  /** So they do if the request for robots.txt failed, because none of them may be visited without its rules. */
  readonly blamesHostOfRobots?: true;
  /** Tries that one of these failures counts as; 1 unless given. */
  readonly costs?: number;
  /** Tries after which the URL is left alone, whatever the user allows. */
  readonly tries?: number;
}

/** The subject of a row of the table. */
type FailureKind =
  | NetworkFailure
  | 'truncated'
  | 'throttled'
  | 'server-error'
  | 'client-error'
  | 'asked-too-late'
  | 'timed-out'
  | 'crashed'
  | 'memory';

export const AFTER_FAILURE: Readonly<Record<FailureKind, FailureRule>> = {
  /** The name may be unknown for good, or its server may be down; every URL of the host is affected. */
  dns: { retried: true, growth: BRIEF, blamesHost: true },
  /** No server listens: a restart is over in seconds. */
  refused: { retried: true, growth: BRIEF, blamesHost: true },
  /** The connection broke on the way; often this one only. */
  reset: { retried: true, growth: BRIEF, blamesHost: false, blamesHostOfRobots: true },
  /** A wrong certificate does not mend itself while we wait. */
  tls: { retried: false, growth: BRIEF, blamesHost: false },
  /** No answer in time: the host is overloaded or filters us. */
  timeout: { retried: true, growth: BRIEF, blamesHost: true },
  /** Our own proxy failed; the host has no part in it. */
  proxy: { retried: true, growth: BRIEF, blamesHost: false },
  /** Not HTTP, or broken off: a server that is restarting sends such things, too. */
  'bad-response': { retried: true, growth: BRIEF, blamesHost: false, blamesHostOfRobots: true },
  /** robots.txt is answered by 5xx or 429: the host as a whole is closed for now. */
  robots: { retried: true, growth: BRIEF, blamesHost: true },
  /** The site's cookies made the request too large: the next try has a storage of its own. */
  'request-too-large': { retried: true, growth: BRIEF, blamesHost: false },
  /** Unknown to us: one more look does no harm. */
  other: { retried: true, growth: BRIEF, blamesHost: false, blamesHostOfRobots: true },
  /** The connection ended within the body: often in passing, as `reset` is. */
  truncated: { retried: true, growth: BRIEF, blamesHost: false },
  /** 429, 503, or 403 with a Retry-After: the host said it. Where it names no time the wait is ours to choose. */
  throttled: { retried: true, growth: LONG, blamesHost: true },
  /** 5xx: this page may be broken for good, the others may be well. */
  'server-error': { retried: true, growth: BRIEF, blamesHost: false },
  /** 4xx: an answer about this URL, and it stands. */
  'client-error': { retried: false, growth: BRIEF, blamesHost: false },
  /** 408 and 425 are about the connection: balancers send 408 where they are about to close it (RFC 9110 section 15.5.9, RFC 8470). */
  'asked-too-late': { retried: true, growth: BRIEF, blamesHost: false },
  /** The page as a whole took too long: its own scripts as often as its server. */
  'timed-out': { retried: true, growth: BRIEF, blamesHost: false },
  /**
   * The browser died over it, with the pages of other visits: that counts double, so that of three tries one is left, in
   * another browser (design/scheduling, "Retries"). After that the URL is left alone for good, quarantined.
   */
  crashed: { retried: true, growth: BRIEF, blamesHost: false, costs: 2 },
  /** It took more memory than a page may: one retry, because others beside it may have taken a part of that, and no more. */
  memory: { retried: true, growth: BRIEF, blamesHost: false, costs: 2, tries: 2 },
};

interface BackoffContext {
  /** The attempt that just ended; 1 for the first. */
  readonly attempt: number;
  /** Further attempts that the user allows, 0 or more. */
  readonly retries: number;
  readonly random: Random;
  /** The longest Retry-After that is honoured; an hour unless given. */
  readonly maxRetryAfter?: Milliseconds;
}

interface Backoff {
  /** The URL is tried again. */
  readonly retry: boolean;
  /** Time until the retry; 0 where there is none. */
  readonly wait: Milliseconds;
  /** How the host is left alone; null where it has no part in it. */
  readonly hostBackoff: HostBackoff | null;
}

/** The consequences of an outcome. Good ones and final ones give no retry and no backoff. */
export function afterOutcome(outcome: VisitOutcome, context: BackoffContext): Backoff {
  const kind = failureKindOf(outcome);
  if (kind === null) return { retry: false, wait: milliseconds(0), hostBackoff: null };
  const { retried, growth, costs = 1, tries = Infinity } = AFTER_FAILURE[kind];
  const retry = retried && context.attempt < tries && context.attempt * costs <= context.retries;
  const asked = askedWait(outcome, context.maxRetryAfter);
  if (asked !== null) {
    const wait = asked.granted;
    return { retry, wait: retry ? wait : milliseconds(0), hostBackoff: { wait, most: null } };
  }
  const chance = context.random();
  return {
    retry,
    wait: retry ? grown(growth, context.attempt, chance) : milliseconds(0),
    // the tries of one URL are not the failures of its host: those are counted where all its visits are known
    hostBackoff: blamesHost(outcome, AFTER_FAILURE[kind])
      ? { wait: grown(growth, 1, chance), most: growth.most }
      : null,
  };
}

function blamesHost(outcome: VisitOutcome, rule: FailureRule): boolean {
  const isOfRobots = outcome.kind === 'unreachable' && outcome.ofRobots === true;
  return rule.blamesHost || (isOfRobots && rule.blamesHostOfRobots === true);
}

/** The row of the table for an outcome; null where nothing failed, or another try could change nothing. */
function failureKindOf(outcome: VisitOutcome): FailureKind | null {
  switch (outcome.kind) {
    case 'unreachable':
      return outcome.failure;
    case 'crashed':
      if (outcome.final === true) return null;
      return outcome.memory === true ? 'memory' : 'crashed';
    case 'throttled':
    case 'timed-out':
      return outcome.kind;
    case 'http-error':
      return failureKindOfStatus(outcome.answer.status);
    case 'captured':
      return outcome.page.truncated === 'disconnect' ? 'truncated' : null;
    case 'not-html':
      return outcome.body?.truncated === 'disconnect' ? 'truncated' : null;
    case 'redirected':
    case 'disallowed':
    case 'blocked-address':
    case 'too-large':
    case 'signs-out':
      return null;
    default:
      return assertNever(outcome);
  }
}

function failureKindOfStatus(status: number): FailureKind {
  if (status >= 500) return 'server-error';
  return status === 408 || status === 425 ? 'asked-too-late' : 'client-error';
}

function grown({ first, most, least }: Growth, attempt: number, chance: number): Milliseconds {
  const full = Math.min(first * 2 ** Math.min(attempt - 1, 20), most);
  return milliseconds(Math.round(full * (least + (1 - least) * chance)));
}
