import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import { IdleDeadline } from '../../../src/render/idle/idle-deadline.ts';
import type { PendingRequests } from '../../../src/render/idle/pending-requests.ts';
import { TimeGrants } from '../../../src/render/idle/time-grants.ts';
import type { WarmPage } from '../../../src/render/page/warm-page.ts';

interface FakeSession {
  send(method: string, parameters?: object): Promise<unknown>;
  once(event: string, listener: () => void): void;
  off(): void;
}

/** A page that has been silent for long. @param limits of its stopwatches, each of which has run out */
function quietPage(session: FakeSession, limits: number[] = [], holdsConnections = true): WarmPage {
  const passed = (limit: number): boolean => limits.push(limit) > 0;
  const page = {
    session,
    watch: {
      news: { silence: () => milliseconds(60_000) },
      documentPending: () => false,
      floods: false,
      holdsConnections,
    },
    frames: { passed: () => {}, synchronize: () => {} },
    browser: { given: { stopwatch: () => ({ passed, [Symbol.dispose]: () => {} }) } },
    within: (call: Promise<unknown>) => call,
  };
  return page as unknown as WarmPage;
}

/** A page that answers nothing. */
function silentPage(): WarmPage {
  return quietPage({ send: () => new Promise<never>(() => {}), once: () => {}, off: () => {} });
}

/** A page that answers at once. @param onPolicy called with each policy for its clock, before the answer */
function answeringSession(onPolicy: (parameters: object, expire: () => void) => void): FakeSession {
  let expire = (): void => {};
  return {
    send: (method, parameters = {}) => {
      if (method === 'Emulation.setVirtualTimePolicy') onPolicy(parameters, () => expire());
      return Promise.resolve({ virtualTimeTicksBase: 0 });
    },
    once: (_event, listener) => (expire = listener),
    off: () => {},
  };
}

/** Grants to a page for which nothing is under way that holds its clock. */
function grantsTo(page: WarmPage, clock: Clock, holdsClock = (): boolean => false): TimeGrants {
  const deadline = new IdleDeadline({ time: seconds(15), latest: seconds(60), heldBack: () => false, clock });
  const pending = { unanswered: () => [], holdsClock } as unknown as PendingRequests;
  const slot = { giveWay: () => {}, takeBack: () => Promise.resolve() };
  return new TimeGrants(page, pending, { deadline, clock, slot });
}

/** Timers fire before this clock has moved as far as they were set to. */
function slowClock(): Clock {
  const began = systemClock.monotonic();
  let slept = 0;
  return {
    now: () => systemClock.now(),
    monotonic: () => milliseconds(slept + (systemClock.monotonic() - began) * 0.9),
    sleep: (duration) => Promise.resolve(void (slept += duration)),
  };
}

test('a page that computes to the end of its time is late, and does not spin, though the timer of a question to it fires early', async () => {
  const clock = slowClock();
  const deadline = new IdleDeadline({ time: milliseconds(600), latest: seconds(60), heldBack: () => false, clock });
  const pending = { unanswered: () => [], holdsClock: () => true } as unknown as PendingRequests;
  const slot = { giveWay: () => {}, takeBack: () => Promise.resolve() };
  const grants = new TimeGrants(silentPage(), pending, { deadline, clock, slot });
  expect(await grants.grant(seconds(5), new AbortController().signal)).toBe('late');
  expect(grants.hung).toBe(false);
});

test('a clock whose grant expires before it could be let go is not let go: without a grant it would run for ever', async () => {
  const policies: object[] = [];
  const session = answeringSession((parameters, expire) => {
    policies.push(parameters);
    if (policies.length === 2) expire(); // while the second command is on its way
  });
  const grants = grantsTo(quietPage(session), slowClock());
  expect(await grants.grant(seconds(5), new AbortController().signal)).toBe('used');
  expect(policies).toMatchObject([{ policy: 'pauseIfNetworkFetchesPending', budget: 5000 }, { policy: 'pause' }]);
  expect(grants.advancing).toBe(false);
});

test.each([
  [500, 1500],
  [5000, 10_000],
])('a page that computes has time to use up its grant on half a processor: for %s ms, %s ms', async (budget, limit) => {
  const limits: number[] = [];
  const policies: object[] = [];
  const session = answeringSession((parameters) => policies.push(parameters));
  const grants = grantsTo(quietPage(session, limits), slowClock());
  expect(await grants.grant(milliseconds(budget), new AbortController().signal)).toBe('lost');
  expect(limits).toEqual([limit]);
  expect(policies.at(-1)).toEqual({ policy: 'advance', maxVirtualTimeTaskStarvationCount: 500 });
});

test.each([
  [true, 100],
  [false, 2500],
])(
  'a silent page (anything under way: %s) is let go after %s ms: one without requests computes',
  async (under, quiet) => {
    const clock = slowClock();
    const times: number[] = [];
    const session = answeringSession(() => times.push(clock.monotonic()));
    await grantsTo(quietPage(session, [], under), clock).grant(seconds(5), new AbortController().signal);
    const [granted = 0, stopped = 0] = times;
    expect(stopped - granted).toBeGreaterThan(quiet);
    expect(stopped - granted).toBeLessThan(quiet + 500);
  },
);

test('a clock is held again where the page asked for something while it was stopped', async () => {
  const policies: { readonly policy?: string }[] = [];
  const session = answeringSession((parameters, expire) => {
    policies.push(parameters);
    if (policies.length === 3) expire();
  });
  const grants = grantsTo(quietPage(session), slowClock(), () => policies.at(-1)?.policy === 'pause');
  expect(await grants.grant(seconds(5), new AbortController().signal)).toBe('used');
  expect(policies.map(({ policy }) => policy)).toEqual([
    'pauseIfNetworkFetchesPending',
    'pause',
    'pauseIfNetworkFetchesPending',
  ]);
  expect(policies.at(-1)).not.toHaveProperty('budget');
  expect(grants.advancing).toBe(false);
});

test('a clock is not let go where the program learns only while it asks the page that its last answer has come', async () => {
  const policies: object[] = [];
  let expire = (): void => {};
  const session = answeringSession((parameters, expires) => {
    policies.push(parameters);
    expire = expires;
  });
  let asked = false;
  const page = quietPage({
    ...session,
    send: (method, parameters) => {
      asked ||= method === 'Runtime.getHeapUsage';
      return session.send(method, parameters);
    },
  });
  Object.assign(page.watch.news, { silence: () => milliseconds(asked ? 0 : 60_000) });
  const clock = slowClock();
  const sleep: Clock['sleep'] = (duration, signal) => {
    if (asked) expire();
    return clock.sleep(duration, signal);
  };
  const grants = grantsTo(page, { ...clock, sleep });
  expect(await grants.grant(seconds(5), new AbortController().signal)).toBe('used');
  expect(policies).toMatchObject([{ policy: 'pauseIfNetworkFetchesPending', budget: 5000 }]);
});

test('a page whose workers flood is over at once: nothing else stops the requests that they have begun', async () => {
  const policies: object[] = [];
  const page = quietPage(answeringSession((parameters) => policies.push(parameters)));
  Object.assign(page.watch, { floods: true });
  const grants = grantsTo(page, slowClock());
  expect(await grants.grant(seconds(5), new AbortController().signal)).toBe('lost');
  expect(grants.spoiled).toBe(true);
  expect(policies).toHaveLength(1);
});
