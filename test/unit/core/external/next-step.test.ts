/** The verdicts on 60 kinds of server behaviour; no live server is called broken. */
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../../../src/base/units.ts';
import { hasChallengeHeader, type Look, type LookAnswer } from '../../../../src/core/external/look.ts';
import { nextStep, type HostWord } from '../../../../src/core/external/next-step.ts';
import { isYoung } from '../../../../src/core/external/verdict-age.ts';
import { withoutNetwork } from '../../../../src/core/external/without-network.ts';
import type { ExternalRecord, ExternalVerdict } from '../../../../src/model/external-record.ts';
import type { NetworkFailure } from '../../../../src/model/visit-outcome.ts';

/** A status; `429/20` with Retry-After; `200!` a wall; `200~` without a type and a length; or the name of a failure. */
type Word = string;

const FAILURES: Readonly<Record<string, readonly [NetworkFailure, string]>> = {
  'no-name': ['dns', 'the name gone.example does not exist (ENOTFOUND)'],
  'dns-silent': ['dns', 'the DNS servers did not resolve gone.example (ESERVFAIL)'],
  'no-address': ['dns', 'the name gone.example has no address'],
  refused: ['refused', 'connect ECONNREFUSED 192.0.2.1:443'],
  reset: ['reset', 'read ECONNRESET'],
  timeout: ['timeout', 'no answer within 30000 ms'],
  tls: ['tls', 'certificate has expired'],
  garbage: ['bad-response', 'Parse Error: Expected HTTP/'],
  proxy: ['proxy', 'the proxy refused'],
};

function answerOf(word: Word): LookAnswer {
  const failure = FAILURES[word];
  if (failure !== undefined) return { kind: 'failed', failure: failure[0], detail: failure[1] };
  if (word === 'circle') return { kind: 'astray', status: 302, detail: 'redirects in a circle' };
  if (word === 'private') return { kind: 'refused', detail: 'loopback 127.0.0.0/8' };
  const [, status = '', rest, mark] = /^(\d+)(?:\/(\d+))?([!~]?)$/.exec(word) ?? [];
  const retryAfter = rest === undefined ? null : seconds(Number(rest));
  return { kind: 'answered', status: Number(status), isChallenge: mark === '!', isBare: mark === '~', retryAfter };
}

interface Behaviour {
  readonly name: string;
  readonly head: Word;
  /** Answers to GET, one after the other; the last one repeats. */
  readonly get: readonly Word[];
  /** Result for the first page of its host; default: it answers well. */
  readonly host?: 'answers-well' | 'answers-nothing-well';
  readonly verdict: ExternalVerdict;
}

const row = (
  name: string,
  [head, ...get]: readonly Word[],
  verdict: ExternalVerdict,
  host?: Behaviour['host'],
): Behaviour => ({
  ...{ name, head: head ?? '', get, verdict },
  ...(host === undefined ? {} : { host }),
});
const ALL_404 = 'answers-nothing-well';

const ALIVE: readonly Behaviour[] = [
  row('answers', ['200', '200'], 'ok'),
  row('has nothing to say', ['204', '204'], 'ok'),
  row('sends a part', ['206', '206'], 'ok'),
  row('offers a choice', ['300', '300'], 'ok'),
  row('says that nothing has changed', ['304', '304'], 'ok'),
  row('answers HEAD with nothing, and GET', ['200~', '200'], 'ok'),
  row('answers both with nothing', ['200~', '200~'], 'ok'),
  row('answers HEAD with nothing, and forbids robots', ['200~', '403'], 'blocked'),
  row('does not allow HEAD', ['405', '200'], 'ok'),
  row('does not implement HEAD', ['501', '200'], 'ok'),
  row('answers HEAD with 404', ['404', '200'], 'ok'),
  row('answers HEAD with 410', ['410', '200'], 'ok'),
  row('answers HEAD with 403', ['403', '200'], 'ok'),
  row('answers HEAD with 400', ['400', '200'], 'ok'),
  row('answers HEAD with 500', ['500', '200'], 'ok'),
  row('never answers HEAD', ['timeout', '200'], 'ok'),
  row('ends the connection at HEAD', ['reset', '200'], 'ok'),
  row('answers HEAD with nonsense', ['garbage', '200'], 'ok'),
  row('turns HEAD round in a circle', ['circle', '200'], 'ok'),
  row('is missing once', ['404', '404', '200'], 'ok'),
  row('is gone once', ['410', '410', '200'], 'ok'),
  row('is missing, then down, then there', ['404', '404', '503', '200'], 'blocked'),
  row('is missing, then fails, then is there', ['404', '404', '500', '200'], 'ok'),
  row('fails once', ['500', '500', '200'], 'ok'),
  row('has a bad gateway once', ['502', '502', '200'], 'ok'),
  row('is too slow once', ['timeout', 'timeout', '200'], 'ok'),
  row('resets once', ['reset', 'reset', '200'], 'ok'),
  row('starts anew: refuses a connection once', ['refused', '200'], 'ok'),
  row('has a name that comes back', ['no-name', '200'], 'ok'),
  row('comes back and says 404 once', ['refused', '404', '200'], 'ok'),
  row('asks for patience, and answers', ['429/20', '429/20', '200'], 'ok'),
  row('is in maintenance for half a minute', ['503/30', '503/30', '200'], 'ok'),
  row('asks for a password', ['401', '401'], 'blocked'),
  row('forbids robots', ['403', '403'], 'blocked'),
  row('stands behind a proxy that asks for a password', ['407', '407'], 'blocked'),
  row('has enough of requests', ['429', '429'], 'blocked'),
  row('has enough, for an hour', ['429/3600', '429/3600'], 'blocked'),
  row('has enough, again and again', ['429/20', '429/20', '429/20'], 'blocked'),
  row('is forbidden in this country', ['451', '451'], 'blocked'),
  row('is unavailable', ['503', '503'], 'blocked'),
  row('says 999', ['999', '999'], 'blocked'),
  row('shows a wall with 200', ['405', '200!'], 'blocked'),
  row('shows a wall with 403', ['403!', '403!'], 'blocked'),
  row('shows a wall with 404', ['404!', '404!'], 'blocked'),
  row('shows a wall in answer to HEAD alone', ['403!', '200'], 'ok'),
  row('refuses, then hides behind 404', ['429/20', '429/20', '404'], 'blocked'),
  row('says 404, then 403', ['404', '404', '403'], 'blocked'),
  row('says 404 to robots, on its first page too', ['404', '404', '404'], 'unsure', ALL_404),
  row('says 410 to robots, on its first page too', ['410', '410', '410'], 'unsure', ALL_404),
  row('fails', ['500', '500'], 'unsure'),
  row('stands behind a gateway without a server', ['502', '502'], 'unsure'),
  row('fails in a way of its provider', ['520', '520'], 'unsure'),
  row('is too slow', ['timeout', 'timeout'], 'unsure'),
  row('resets', ['reset', 'reset'], 'unsure'),
  row('has a certificate that has expired', ['tls', 'tls'], 'unsure'),
  row('speaks another protocol', ['garbage', 'garbage'], 'unsure'),
  row('wants POST', ['405', '405'], 'unsure'),
  row('wants parameters', ['400', '400'], 'unsure'),
  row('wants money', ['402', '402'], 'unsure'),
  row('has none of the types that are asked for', ['406', '406'], 'unsure'),
  row('turns round in a circle without cookies', ['circle', 'circle'], 'unsure'),
  row('has a name server that is silent', ['dns-silent', 'dns-silent'], 'unsure'),
  row('has a name without an address', ['no-address', 'no-address'], 'unsure'),
  row('is not reached by the proxy', ['proxy', 'proxy'], 'unsure'),
  row('is gone and back, in turns', ['refused', '404', 'no-name', '404', 'no-name', '404', 'refused'], 'unsure'),
  row('is in a private network', ['private'], 'not-asked'),
];

const GONE: readonly Behaviour[] = [
  row('is missing', ['404', '404'], 'broken'),
  row('is gone', ['410', '410'], 'broken'),
  row('is missing, and HEAD says 200 to everything', ['200~', '404'], 'broken'),
  row('is missing, and HEAD fails', ['500', '404'], 'broken'),
  row('is missing, with a failure in between', ['404', '404', '500', '404', '404'], 'broken'),
  row('has no name any more', ['no-name', 'no-name'], 'broken'),
  row('has no server any more', ['refused', 'refused'], 'broken'),
];

interface Told {
  readonly verdict: ExternalVerdict;
  readonly detail: string | null;
  readonly looks: readonly Look[];
}

/** Plays a server, and the time. */
function ask({ head, get, host = 'answers-well' }: Behaviour): Told {
  const looks: Look[] = [];
  let [now, gets, word] = [0, 0, null as HostWord];
  for (let steps = 0; steps < 30; steps += 1) {
    const step = nextStep(looks, word);
    if (step.kind === 'verdict') return { ...step, looks };
    if (step.kind === 'ask-host') {
      word = host;
      continue;
    }
    now += step.wait + 50;
    const said = step.method === 'HEAD' ? head : (get[Math.min(gets, get.length - 1)] ?? '');
    if (step.method === 'GET') gets += 1;
    looks.push({ method: step.method, at: milliseconds(now), answer: answerOf(said) });
  }
  throw new Error('it never comes to an end');
}

describe('the verdict on an external link', () => {
  it.each(ALIVE)('is $verdict where the server $name', (behaviour) => {
    expect(ask(behaviour).verdict).toBe(behaviour.verdict);
  });

  it.each(GONE)('is broken where the page $name', (behaviour) => {
    const { verdict, looks } = ask(behaviour);
    expect(verdict).toBe('broken');
    const [before, last] = looks.slice(-2);
    expect((last?.at ?? 0) - (before?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  it('calls none of 60 and more servers broken that are alive, and asks none more than seven times', () => {
    const broken = ALIVE.filter((behaviour) => ask(behaviour).verdict === 'broken');
    expect(broken.map(({ name }) => name)).toEqual([]);
    expect(ALIVE.length).toBeGreaterThanOrEqual(60);
    expect(Math.max(...[...ALIVE, ...GONE].map((behaviour) => ask(behaviour).looks.length))).toBeLessThanOrEqual(7);
  });

  it.each(['answers', 'answers-well', 'answers-nothing-well'] as const)(
    'is unsure where a host refuses connections that %s',
    (host) => {
      const looks = [50, 40_000].map((at): Look => ({
        method: 'GET',
        at: milliseconds(at),
        answer: answerOf('refused'),
      }));
      expect(nextStep(looks, host)).toMatchObject({ verdict: 'unsure' });
      expect(nextStep(looks, null)).toMatchObject({ verdict: 'broken' });
    },
  );

  it('says why', () => {
    const why = (...words: readonly Word[]): string | null => ask(row('', words, 'ok')).detail;
    expect(why('tls', 'tls')).toBe('TLS: certificate has expired');
    expect(why('403', '403')).toBe('status 403');
    expect(why('405', '200!')).toBe('the wall of a bot protection');
    expect(why('200')).toBeNull();
  });
});

describe('a wall', () => {
  it('is known by the headers of those who build them', () => {
    expect(hasChallengeHeader([['cf-mitigated', 'challenge']])).toBe(true);
    expect(hasChallengeHeader([['x-amzn-waf-action', 'captcha']])).toBe(true);
    expect(hasChallengeHeader([['server', 'cloudflare']])).toBe(false);
  });
});

const recordOf = (verdict: ExternalVerdict, status: number | null): ExternalRecord => ({
  ...{ url: 'https://a.example/', verdict, status, chain: [], permanent: false, detail: 'refused' },
  looks: [{ time: '2026-01-02T00:00:00.000Z', method: 'GET', status, detail: null }],
});

describe('the verdict of an earlier audit', () => {
  it.each([
    ['ok', 6, true],
    ['ok', 8, false],
    ['redirected', 6, true],
    ['broken', 0.9, true],
    ['broken', 1.1, false],
    ['unsure', 1.1, false],
    ['blocked', 0.9, true],
    ['not-asked', 0, false],
    ['ok', -1, false],
  ] as const)('%s holds after %d days: %s', (verdict, days, holds) => {
    const now = Date.parse('2026-01-02T00:00:00Z') + days * 24 * 3_600_000;
    expect(isYoung(recordOf(verdict, 200), now)).toBe(holds);
  });
});

describe('dead hosts', () => {
  it('prove nothing where not one host has answered', () => {
    const { records, notes } = withoutNetwork([recordOf('broken', null), recordOf('unsure', null)]);
    expect(records.map(({ verdict }) => verdict)).toEqual(['unsure', 'unsure']);
    expect(notes).toHaveLength(1);
  });

  it('are broken where another has', () => {
    const { records, notes } = withoutNetwork([recordOf('broken', null), recordOf('blocked', 403)]);
    expect(records.map(({ verdict }) => verdict)).toEqual(['broken', 'blocked']);
    expect(notes).toEqual([]);
  });
});
