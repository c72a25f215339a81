/**
 * Decides the next step from the looks at an external link so far. `broken` takes two looks of the same kind some time apart, and a host
 * that answers well elsewhere: a server that blocks robots often says 404 to them, and one that is down is often back in a minute.
 */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';
import type { ExternalVerdict } from '../../model/external-record.ts';
import { isHearsay, lookWords, signOf, type Look, type LookSign } from './look.ts';

/**
 * State of a host, from all links that led there: has it answered at all, does it answer any address well? Null where it has not
 * answered, and `answers` where its first page has not been requested yet.
 */
export type HostWord = 'answers-well' | 'answers-nothing-well' | 'answers' | null;

type NextStep =
  /** `wait`: from the last look on. */
  | { readonly kind: 'ask'; readonly method: 'HEAD' | 'GET'; readonly wait: Milliseconds }
  /** Request the first page of the host that the link led to; then call this again. */
  | { readonly kind: 'ask-host' }
  | { readonly kind: 'verdict'; readonly verdict: ExternalVerdict; readonly detail: string | null };

/** Pause between two looks that are to confirm each other. Restarts, deployments and DNS hiccups are mostly over by then (arbitrary). */
const APART: Milliseconds = seconds(30);
/** A server that asks for a longer pause than this is asked in the next audit. */
export const LONGEST_REST: Milliseconds = seconds(60);
/** A link that still answers otherwise each time is given up. */
const MOST_LOOKS = 6;
const AT_ONCE = milliseconds(0);

/**
 * @param looks in their order, at least as far apart as earlier steps asked for
 * @param headLies HEAD of its host was shown to differ from GET
 */
export function nextStep(looks: readonly Look[], host: HostWord, headLies = false): NextStep {
  const last = looks.at(-1);
  if (last === undefined) return { kind: 'ask', method: headLies ? 'GET' : 'HEAD', wait: AT_ONCE };
  const sign = signOf(last);
  if (sign === 'good') return isHearsay(last) ? { kind: 'ask', method: 'GET', wait: AT_ONCE } : verdict('ok', null);
  if (sign === 'refused') return verdict('not-asked', lookWords(last));
  // many servers refuse HEAD, or answer it otherwise than GET; where there is no server the method does not matter
  if (last.method === 'HEAD' && sign !== 'dead') return { kind: 'ask', method: 'GET', wait: AT_ONCE };
  const telling = looks.filter((look) => look.method === 'GET' || signOf(look) === 'dead');
  return afterFailure(telling, { last, sign, host });
}

interface Failure {
  readonly last: Look;
  readonly sign: Exclude<LookSign, 'good' | 'refused'>;
  readonly host: HostWord;
}

/** @param telling looks that count */
function afterFailure(telling: readonly Look[], { last, sign, host }: Failure): NextStep {
  const words = lookWords(last);
  if (sign === 'blocked') {
    const rest = restOf(last);
    return rest !== null && telling.length < 2 ? askAgain(rest) : verdict('blocked', words);
  }
  // a server that refused this program a minute ago may still do so with another answer
  if (telling.some((look) => signOf(look) === 'blocked')) return verdict('blocked', words);
  if (sign === 'strange') return verdict('unsure', words);
  if (sign === 'passing') {
    const tries = telling.filter((look) => signOf(look) === 'passing').length;
    return tries < 2 ? askAgain(APART) : verdict('unsure', words);
  }
  if (!isConfirmed(telling, sign)) {
    return telling.length < MOST_LOOKS ? askAgain(APART) : verdict('unsure', 'it answers otherwise each time');
  }
  if (sign === 'dead') {
    // some hosts lock out frequent clients for a while
    return host === null ? verdict('broken', words) : verdict('unsure', `${words}, and yet it answered before`);
  }
  if (host === 'answers-well') return verdict('broken', words);
  if (host === null || host === 'answers') return { kind: 'ask-host' };
  return verdict(
    'unsure',
    `${words}, and the first page of its host does not answer well either: it may refuse robots in that way`,
  );
}

/** The last looks give the same sign, over at least {@link APART}. */
function isConfirmed(telling: readonly Look[], sign: LookSign): boolean {
  const last = telling.at(-1);
  const streak = telling.slice(telling.findLastIndex((look) => signOf(look) !== sign) + 1);
  const [first] = streak;
  return first !== undefined && last !== undefined && last.at - first.at >= APART;
}

/** Pause that the server asked for; null where it asked for none, or for too long a one. */
function restOf({ answer }: Look): Milliseconds | null {
  const rest = answer.kind === 'answered' ? answer.retryAfter : null;
  return rest !== null && rest <= LONGEST_REST ? rest : null;
}

function askAgain(wait: Milliseconds): NextStep {
  return { kind: 'ask', method: 'GET', wait };
}

function verdict(word: ExternalVerdict, detail: string | null): NextStep {
  return { kind: 'verdict', verdict: word, detail };
}
