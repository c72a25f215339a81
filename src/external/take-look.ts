/** Takes one look at an external link: a request, and one for each redirect, each through the egress gate and in its host's turn. */
import type { Clock } from '../base/clock.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { kibibytes, seconds } from '../base/units.ts';
import { valueOf } from '../core/answers/judge-answer.ts';
import type { LookAnswer } from '../core/external/look.ts';
import { LONGEST_REST } from '../core/external/next-step.ts';
import { parseRetryAfter } from '../core/politeness/retry-after.ts';
import type { Egress } from '../egress/egress.ts';
import { fetchBytes, type FetchResult } from '../fetch/http.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { HostTurns } from './host-turns.ts';
import { isWall } from './is-wall.ts';

export interface LookNeeds {
  readonly egress: Egress;
  readonly turns: HostTurns;
  readonly userAgent: string;
  readonly clock: Clock;
}

export interface TakenLook {
  readonly answer: LookAnswer;
  /** All addresses on the way, the first and the last included. */
  readonly chain: readonly string[];
  /** Were all redirects permanent? */
  readonly permanent: boolean;
}

/** Enough to recognise a wall. */
const BODY = kibibytes(64);
/** The time for one whole request. */
const TIMEOUT = seconds(30);
const MOST_REDIRECTS = 10;
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);

/** @throws the signal's reason */
export async function takeLook(
  url: string,
  method: 'HEAD' | 'GET',
  needs: LookNeeds,
  signal: AbortSignal,
): Promise<TakenLook> {
  const chain = [url];
  let permanent = true;
  for (let at = url; ;) {
    // oxlint-disable-next-line no-await-in-loop -- a hop is known only when the one before it has answered
    const result = await ask(at, method, needs, signal);
    const end = (answer: LookAnswer): TakenLook => ({ answer, chain, permanent: permanent && chain.length > 1 });
    if (result.kind === 'blocked')
      return end({ kind: 'refused', detail: `not asked, for its address: ${result.detail}` });
    if (result.kind === 'failed') return end(result);
    if (!REDIRECTS.has(result.status)) return end(answerOf(result, needs));
    const next = targetOf(result, at);
    const fault = faultOf(next, chain);
    if (next === null || fault !== null) return end({ kind: 'astray', status: result.status, detail: fault ?? '' });
    permanent &&= PERMANENT.has(result.status);
    chain.push(next);
    at = next;
  }
}

type Answer = Extract<FetchResult, { kind: 'answer' }>;

async function ask(
  url: string,
  method: 'HEAD' | 'GET',
  { egress, turns, userAgent, clock }: LookNeeds,
  signal: AbortSignal,
): Promise<FetchResult> {
  const { hostName } = endpointOf(url);
  const asked = {
    url,
    method,
    userAgent,
    accept: ACCEPT,
    byteLimit: BODY,
    timeout: TIMEOUT,
    redirects: 'none' as const,
  };
  const result = await turns.take(hostName, () => fetchBytes(asked, egress, signal), signal);
  if (result.kind === 'answer' && (result.status === 429 || result.status === 503)) {
    const rest = restOf(result, clock);
    if (rest !== null && rest <= LONGEST_REST) turns.rest(hostName, rest);
  }
  return result;
}

function answerOf(result: Answer, { clock }: LookNeeds): LookAnswer {
  const { status } = result;
  const isBare =
    valueOf(result.headers, 'content-type') === null && Number(valueOf(result.headers, 'content-length')) === 0;
  return { kind: 'answered', status, isChallenge: isWall(result), isBare, retryAfter: restOf(result, clock) };
}

function restOf({ headers }: Answer, clock: Clock): ReturnType<typeof parseRetryAfter> {
  return parseRetryAfter(valueOf(headers, 'retry-after'), clock.now());
}

/** The target of a redirect; null where it is no http(s) URL. */
function targetOf({ headers }: Answer, base: string): string | null {
  const url = parsedUrl(valueOf(headers, 'location') ?? '', base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

function faultOf(next: string | null, chain: readonly string[]): string | null {
  if (next === null) return 'redirects to what is no http(s) URL';
  // sites do that to clients that keep no cookies
  if (chain.includes(next)) return 'redirects in a circle';
  return chain.length > MOST_REDIRECTS ? `redirects more than ${MOST_REDIRECTS} times` : null;
}
