import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { milliseconds } from '../../../src/base/units.ts';
import { cookieHeader, HostCookies } from '../../../src/core/cookies/host-cookies.ts';
import { CookieTests } from '../../../src/fetch/cookie-tests.ts';
import type { Headers } from '../../../src/model/page.ts';
import type { VisitOutcome } from '../../../src/model/visit-outcome.ts';
import { visitOf } from '../../support/page.ts';

const never = new AbortController().signal;
const TIMING = { queued: null, answered: milliseconds(1), loaded: null, settled: null, total: milliseconds(1) };

function redirect(location: string, ...cookies: readonly string[]): VisitOutcome & { readonly kind: 'redirected' } {
  const headers: Headers = cookies.map((cookie) => ['set-cookie', cookie] as const);
  return { kind: 'redirected', location, answer: { status: 302, headers, contentType: '', timing: TIMING as never } };
}

const ERROR: VisitOutcome = { kind: 'unreachable', failure: 'reset', detail: '' };

/** @param steps answers of the test's own requests */
function tested({ steps = [], allowed = true }: { steps?: readonly (VisitOutcome | null)[]; allowed?: boolean }) {
  const cookies = new HostCookies();
  const asked: string[] = [];
  const left = [...steps];
  const tests = new CookieTests(cookies, {
    ask: async ({ url }, sent) => {
      asked.push(`${url} ${cookieHeader(sent) ?? ''}`);
      return left.shift() ?? null;
    },
    isAllowed: async () => allowed,
    log: silentLog,
  });
  return { cookies, asked, tests };
}

const visit = visitOf('https://a.example/x');

describe('a test for cookies', () => {
  it('is passed in steps, between which the visit is given back', async () => {
    const { cookies, asked, tests } = tested({
      steps: [redirect('y?to=/x', 'b=2'), redirect('/x', 'c=3', 'a=; max-age=0')],
    });
    const loads = async (): Promise<VisitOutcome> => redirect('/check?back=/x', 'a=1');
    expect(await tests.load(visit, loads, never)).toBeNull();
    expect(asked).toEqual([]);
    expect(await tests.load(visit, loads, never)).toBeNull();
    expect(cookieHeader(cookies.of(visit.url))).toBeNull();
    expect(await tests.load(visit, loads, never)).toBeNull();
    expect(asked).toEqual(['https://a.example/check?back=/x a=1', 'https://a.example/y?to=/x a=1; b=2']);
    expect(cookieHeader(cookies.of(visit.url))).toBe('b=2; c=3');
    expect(await tests.load(visit, async () => ERROR, never)).toBe(ERROR);
  });

  it.each([
    ['leads to a document', null],
    ['is answered by an error', ERROR],
    ['leads on to another host', redirect('https://b.example/?back=https://a.example/x')],
    ['comes back without a cookie', redirect('/x')],
    ['leads to no address', redirect('https://[')],
  ])('is none where its address %s: the visit ends as a redirect', async (_what, step) => {
    const { cookies, tests } = tested({ steps: [step] });
    const first = redirect('/check?back=/x');
    expect(await tests.load(visit, async () => first, never)).toBeNull();
    expect(await tests.load(visit, async () => ERROR, never)).toBe(first);
    expect(cookieHeader(cookies.of(visit.url))).toBeNull();
  });

  it('whose host asks for a pause gets it: the visit ends so, to be made again', async () => {
    const throttled: VisitOutcome = { kind: 'throttled', retryAfter: null, answer: redirect('/').answer };
    const { tests } = tested({ steps: [throttled] });
    expect(await tests.load(visit, async () => redirect('/check?back=/x'), never)).toBeNull();
    expect(await tests.load(visit, async () => ERROR, never)).toBe(throttled);
    expect(await tests.load(visit, async () => ERROR, never)).toBe(ERROR);
  });

  it('is not tried where the crawl may not ask for its address', async () => {
    const { asked, tests } = tested({ allowed: false });
    const first = redirect('/check?back=/x', 'a=1');
    expect(await tests.load(visit, async () => first, never)).toBe(first);
    expect(asked).toEqual([]);
  });

  it('is tried two times for a host where it comes to nothing', async () => {
    const { asked, tests } = tested({ steps: [ERROR, ERROR] });
    for (const path of ['/1', '/2', '/3']) {
      const member = visitOf(`https://a.example${path}`);
      const first = redirect(`/login?next=${path}`, 's=1');
      const ends = [
        await tests.load(member, async () => first, never),
        ...(path === '/3' ? [] : [await tests.load(member, async () => first, never)]),
      ];
      expect(ends.at(-1)).toBe(first);
    }
    expect(asked).toHaveLength(2);
  });

  it('that is never passed ends after four tries', async () => {
    const { tests } = tested({});
    let count = 0;
    const loads = async (): Promise<VisitOutcome> => redirect('/x', `n=${(count += 1)}`);
    const ends = [];
    for (let time = 0; time < 5; time++) ends.push((await tests.load(visit, loads, never))?.kind ?? null);
    expect(ends).toEqual([null, null, null, null, 'redirected']);
  });

  it('of a script is tried two times for a host', async () => {
    const { cookies, tests } = tested({});
    let count = 0;
    const loads = async (): Promise<VisitOutcome> =>
      ({ kind: 'captured', page: {} as never, cookies: new Map([['n', String((count += 1))]]) }) as VisitOutcome;
    const ends = [];
    for (let time = 0; time < 3; time++) ends.push((await tests.load(visit, loads, never))?.kind ?? null);
    expect(ends).toEqual([null, null, 'captured']);
    expect(cookieHeader(cookies.of(visit.url))).toBe('n=2');
  });
});
