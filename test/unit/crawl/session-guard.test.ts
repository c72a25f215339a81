import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { milliseconds } from '../../../src/base/units.ts';
import type { LogInEnd } from '../../../src/crawl/sign-in/log-in.ts';
import { SessionGuard } from '../../../src/crawl/sign-in/session-guard.ts';
import type { VisitOutcome } from '../../../src/model/visit-outcome.ts';
import { answerOf, pageOf, url, visitOf } from '../../support/page.ts';

const HOME = 'https://a.test/';
const MARK = { kind: 'selector', selector: '#menu', contrary: false } as const;
const never = new AbortController().signal;
const page = (path: string): string => `${HOME}${path}`;

/** Parts that no test checks. */
const COMMON = {
  mark: MARK,
  signIns: {
    stateOf: () => null,
    keep: () => {},
    replace: () => {},
    secrets: [],
    [Symbol.asyncDispose]: async () => {},
  },
  renew: () => {},
  mute: () => () => {},
  delayOf: () => milliseconds(0),
  clock: systemClock,
  log: silentLog,
} as const;

/** A site in memory: whether the session is signed in, and the effect of loading a page. */
class Site {
  isIn = true;
  readonly loads: string[] = [];
  logIns = 0;
  /** Most loads at a time during a sign-in; must be 0. */
  loadsWhileSigningIn = 0;
  /** The number of loads after which a session ends. */
  loadsOfSession = Infinity;
  #served = 0;
  #loading = 0;
  password = 'right';
  /** Pages whose load ends the session. */
  signsOut: (address: string) => boolean = () => false;
  /** Pages that never have the mark. */
  plain: (address: string) => boolean = () => false;

  readonly guard = new SessionGuard({
    load: async ({ url: address }) => this.#load(address),
    seeds: [url(HOME)],
    logIn: { run: () => this.#logIn() },
    ...COMMON,
    keepPicture: async () => '/out/login-failure.png',
  });

  visit(address: string): Promise<VisitOutcome | null> {
    return this.guard.load(visitOf(address), never);
  }

  async #load(address: string): Promise<VisitOutcome> {
    this.#loading += 1;
    this.loads.push(address);
    await new Promise((resolve) => setImmediate(resolve));
    this.#served += 1;
    if (this.#served > this.loadsOfSession) this.isIn = false;
    const signedIn = this.isIn && !this.plain(address);
    if (this.signsOut(address)) this.isIn = false;
    this.#loading -= 1;
    return { kind: 'captured', page: pageOf(address, { signedIn }) };
  }

  async #logIn(): Promise<LogInEnd> {
    this.logIns += 1;
    this.loadsWhileSigningIn = Math.max(this.loadsWhileSigningIn, this.#loading);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.password !== 'right') return { kind: 'failed', why: 'step 2 found nothing', picture: new Uint8Array(1) };
    this.isIn = true;
    this.#served = 0;
    return { kind: 'signed-in', state: { cookies: [], origins: [] }, url: HOME };
  }
}

const shownIn = (outcome: VisitOutcome | null): boolean | undefined =>
  outcome?.kind === 'captured' ? outcome.page.signedIn : undefined;

describe('a crawl that is signed out', () => {
  it('signs in once for all that load a page then, while nobody loads one, and all have their pages', async () => {
    const site = new Site();
    expect(shownIn(await site.visit(HOME))).toBe(true);
    site.isIn = false;
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((number) => site.visit(page(`${number}`))));
    expect(outcomes.map(shownIn)).toEqual([true, true, true, true, true]);
    expect([site.logIns, site.loadsWhileSigningIn]).toEqual([1, 0]);
  });

  it('gives every visit back where it cannot sign in, and says why', async () => {
    const site = new Site();
    await site.visit(HOME);
    site.isIn = false;
    site.password = 'wrong';
    expect(await Promise.all([1, 2, 3].map((number) => site.visit(page(`${number}`))))).toEqual([null, null, null]);
    expect(await site.visit(page('4'))).toBeNull();
    expect(await site.guard.signedOut).toBe(
      `signed out at ${page('1')}, and the log-in failed: step 2 found nothing\nThe page is to be seen in /out/login-failure.png.`,
    );
    expect(site.logIns).toBe(1);
    expect(site.loads).not.toContain(page('4'));
  });
});

it('a crawl whose pages are not signed in by what the log-in left pauses, and says what is taken from a log-in', async () => {
  const site = new Site();
  site.isIn = false;
  const guard = new SessionGuard({
    ...partsOf(site),
    load: async ({ url: address }) => ({ kind: 'captured', page: pageOf(address, { signedIn: false }) }),
    logIn: { run: async () => ({ kind: 'signed-in', state: { cookies: [], origins: [] }, url: HOME }) },
  });
  await guard.start(never);
  expect(await guard.load(visitOf(HOME), never)).toBeNull();
  expect(await guard.signedOut).toMatch(
    /the site does not show that it worked \(selector:#menu\): .*cookies, local and session storage and databases.*nothing of the memory/,
  );
});

it('a page that never shows the mark is no reason to sign in', async () => {
  const site = new Site();
  site.plain = (address) => address.endsWith('print');
  await site.visit(HOME);
  expect(shownIn(await site.visit(page('print')))).toBe(false);
  expect([site.logIns, site.loads]).toEqual([0, [HOME, page('print'), HOME]]);
});

it('pages of other sites are neither checked nor marked', async () => {
  const site = new Site();
  site.isIn = false;
  const outcome = await site.visit('https://b.test/');
  expect(outcome?.kind === 'captured' && 'signedIn' in outcome.page).toBe(false);
  expect(site.logIns).toBe(0);
});

describe('a page that signs out', () => {
  it('is skipped when it has done so twice, alone, and one like it is not loaded when two have', async () => {
    const site = new Site();
    site.signsOut = (address) => address.includes('/bye');
    site.plain = site.signsOut;
    await site.visit(HOME);
    const rules = await Promise.all([1, 2, 3].map((number) => site.visit(page(`bye?${number}`))));
    expect(rules.map((outcome) => outcome?.kind)).toEqual(['signs-out', 'signs-out', 'signs-out']);
    site.loads.length = 0;
    expect(rules.at(0)).not.toHaveProperty('unasked');
    expect(await site.visit(page('bye?4'))).toMatchObject({ kind: 'signs-out', unasked: true });
    expect(site.loads).toEqual([]);
    expect(shownIn(await site.visit(page('1')))).toBe(true);
  });

  it('is found out by the next page where it still looks signed in itself, and once only', async () => {
    const site = new Site();
    site.signsOut = (address) => address.includes('/bye');
    await site.visit(HOME);
    expect(shownIn(await site.visit(page('bye?1')))).toBe(true);
    expect(shownIn(await site.visit(page('1')))).toBe(true);
    expect(site.logIns).toBe(1);
    expect(await site.visit(page('bye?2'))).toMatchObject({ kind: 'signs-out' });
    expect(shownIn(await site.visit(page('2')))).toBe(true);
  });

  it.each([2, 3, 4])('is none where sessions end by themselves after %i pages', async (loads) => {
    const site = new Site();
    site.loadsOfSession = loads;
    for (const number of [1, 2, 3, 4, 5, 6, 7]) expect(shownIn(await site.visit(page(`${number}`)))).toBe(true);
  });

  it('is none where no session outlives a page: the crawl pauses', async () => {
    const site = new Site();
    site.loadsOfSession = 1;
    await site.visit(HOME);
    expect(await site.visit(page('1'))).toBeNull();
    expect(await site.guard.signedOut).toMatch(/the sign-in does not last: after https:\/\/a\.test\/1/);
  });
});

it('a redirect, which shows nothing, is believed while the crawl is signed in', async () => {
  const site = new Site();
  const redirect: VisitOutcome = { kind: 'redirected', answer: answerOf(302), location: '/new' };
  const guard = new SessionGuard({
    ...partsOf(site),
    load: async ({ url: address }) => (address === HOME ? captured(site) : redirect),
  });
  await guard.load(visitOf(HOME), never);
  expect(await guard.load(visitOf(page('old')), never)).toBe(redirect);
  expect(site.logIns).toBe(0);
});

it('the page that tells is asked no sooner than the delay of the host allows', async () => {
  const site = new Site();
  const done: string[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: async (duration) => void done.push(`waits ${duration}`),
  };
  const guard = new SessionGuard({
    ...partsOf(site),
    load: async ({ url: address }) => {
      done.push(address);
      return { kind: 'captured', page: pageOf(address, { signedIn: site.isIn }) };
    },
    delayOf: () => milliseconds(700),
    clock,
  });
  await guard.load(visitOf(HOME), never);
  site.isIn = false;
  expect(await guard.load(visitOf(page('a')), never)).toBe(null);
  expect(done).toEqual([HOME, page('a'), 'waits 700', HOME]);
});

const captured = (site: Site): VisitOutcome => ({ kind: 'captured', page: pageOf(HOME, { signedIn: site.isIn }) });
function partsOf(site: Site): ConstructorParameters<typeof SessionGuard>[0] {
  return {
    load: () => Promise.reject(new Error('given by the test')),
    seeds: [url(HOME)],
    logIn: {
      run: async () => {
        site.logIns += 1;
        return { kind: 'failed', why: 'x', picture: null };
      },
    },
    ...COMMON,
    keepPicture: async () => null,
  };
}
