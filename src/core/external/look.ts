/** One look at an external link, and the sign that it gives. */
import type { Milliseconds } from '../../base/units.ts';
import type { Headers } from '../../model/page.ts';
import type { NetworkFailure } from '../../model/visit-outcome.ts';

export type LookAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** It is the wall of a bot protection, whatever its status. */
      readonly isChallenge: boolean;
      /** It has no type, and no length other than 0: servers answer HEAD like this without looking for the page. */
      readonly isBare: boolean;
      /** Of Retry-After; null where there is none. */
      readonly retryAfter: Milliseconds | null;
    }
  | { readonly kind: 'failed'; readonly failure: NetworkFailure; readonly detail: string }
  /** Redirects without end, in a circle, or to an address that is not of the web. */
  | { readonly kind: 'astray'; readonly status: number; readonly detail: string }
  /** The egress gate does not connect to its address. */
  | { readonly kind: 'refused'; readonly detail: string };

export interface Look {
  readonly method: 'HEAD' | 'GET';
  /** Monotonic time of its end. */
  readonly at: Milliseconds;
  readonly answer: LookAnswer;
}

/**
 * - `gone`: the server says that the page does not exist. `dead`: the server does not exist.
 * - `blocked`: it refuses, perhaps this program alone.
 * - `passing`: a failure that is often over in a minute. `strange`: one that a retry does not mend.
 */
export type LookSign = 'good' | 'gone' | 'dead' | 'blocked' | 'passing' | 'strange' | 'refused';

/** 401 and 407 ask for credentials, 451 is refused by law and often by country, 999 is LinkedIn's answer to robots. */
const BLOCKING: ReadonlySet<number> = new Set([401, 403, 407, 429, 451, 503, 999]);
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Error text of the egress gate (egress/gate/system-resolver.ts) where the DNS knows that the name does not exist. */
const NO_NAME = /\bname \S+ does not exist\b|\bENOTFOUND\b/;

export function signOf({ answer }: Pick<Look, 'answer'>): LookSign {
  switch (answer.kind) {
    case 'refused':
      return 'refused';
    case 'astray':
      return 'strange';
    case 'failed':
      return signOfFailure(answer.failure, answer.detail);
    case 'answered':
      return answer.isChallenge ? 'blocked' : signOfStatus(answer.status);
  }
}

function signOfFailure(failure: NetworkFailure, detail: string): LookSign {
  if (failure === 'dns') return NO_NAME.test(detail) ? 'dead' : 'passing';
  if (failure === 'refused') return 'dead';
  return failure === 'timeout' || failure === 'reset' ? 'passing' : 'strange';
}

function signOfStatus(status: number): LookSign {
  if (BLOCKING.has(status)) return 'blocked';
  if (GONE.has(status)) return 'gone';
  if (status >= 500 && status < 600) return 'passing';
  // 300 offers a choice, and 304 says that all is as before
  return (status >= 200 && status < 300) || status === 300 || status === 304 ? 'good' : 'strange';
}

/** Does it count only after GET has confirmed it? */
export function isHearsay({ method, answer }: Look): boolean {
  return method === 'HEAD' && answer.kind === 'answered' && answer.status === 200 && answer.isBare;
}

/** A look's objection to the link, in a few words; null where there is none. */
export function lookWords({ answer }: Pick<Look, 'answer'>): string | null {
  switch (answer.kind) {
    case 'failed':
      return answer.failure === 'tls' ? `TLS: ${answer.detail}` : answer.detail;
    case 'astray':
    case 'refused':
      return answer.detail;
    case 'answered':
      if (answer.isChallenge) return 'the wall of a bot protection';
      return signOfStatus(answer.status) === 'good' ? null : `status ${answer.status}`;
  }
}

/** Does a header mark the answer as that of a bot protection? @param headers names in lower case */
export function hasChallengeHeader(headers: Headers): boolean {
  return headers.some(
    ([name, value]) =>
      (name === 'cf-mitigated' && value.toLowerCase().includes('challenge')) || name === 'x-amzn-waf-action',
  );
}
