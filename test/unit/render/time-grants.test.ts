import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import { IdleDeadline } from '../../../src/render/idle/idle-deadline.ts';
import type { PendingRequests } from '../../../src/render/idle/pending-requests.ts';
import { TimeGrants } from '../../../src/render/idle/time-grants.ts';
import type { WarmPage } from '../../../src/render/page/warm-page.ts';

/** A page that has been silent for long, and answers nothing. */
function silentPage(): WarmPage {
  const never = new Promise<never>(() => {});
  const page = {
    session: { send: () => never, once: () => {}, off: () => {} },
    watch: { silence: () => milliseconds(60_000), documentPending: () => false },
    frames: { passed: () => {}, synchronize: () => {} },
    browser: { given: null },
    within: (call: Promise<unknown>) => call,
  };
  return page as unknown as WarmPage;
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
