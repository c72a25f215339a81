/** The time by which deadlines of calls to a page run, with a hand-turned clock and made-up processes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { GivenTime } from '../../../src/render/given-time.ts';
import { UsedTime } from '../../../src/render/interact/used-time.ts';
import { handClock } from '../../support/hand-clock.ts';

// deadlines use timers of Node: on a busy machine real ones fire late
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A browser of one thread that gets a set share of the processors. */
function starvedBrowser() {
  const clock = handClock();
  const thread = { ran: 0, waited: 0, at: 0 };
  let share = 1;
  let looks = 0;
  const pass = (): void => {
    const elapsed = clock.monotonic() - thread.at;
    thread.ran += elapsed * share;
    thread.waited += elapsed * (1 - share);
    thread.at = clock.monotonic();
  };
  const time = new GivenTime(() => {
    pass();
    looks += 1;
    return { threads: new Map([[1, { ...thread }]]), stopped: false, cores: 1 };
  }, clock);
  return {
    time,
    clock,
    looks: () => looks,
    getsShare(next: number) {
      pass();
      share = next;
    },
    /** Lets time pass, and reads the watch now and then as a deadline does. */
    async runs(duration: number, watch: { readonly given: number }) {
      for (let passed = 0; passed < duration; passed += 100) {
        await clock.run(milliseconds(100));
        void watch.given;
      }
      return watch.given;
    },
  };
}

test('a call that is answered soon costs no look at the processes', async () => {
  const browser = starvedBrowser();
  using watch = browser.time.stopwatch();
  expect(await browser.runs(400, watch)).toBe(400);
  expect(browser.looks()).toBe(0);
});

test('a browser that gets all that it wants is given real time', async () => {
  const browser = starvedBrowser();
  using watch = browser.time.stopwatch();
  expect(await browser.runs(5000, watch)).toBeCloseTo(5000);
  expect(browser.time.isScarce).toBe(false);
  expect(browser.time.realTime(milliseconds(1000))).toBe(1000);
});

test('a browser that gets a fourth of what it wants has four times as long', async () => {
  const browser = starvedBrowser();
  browser.getsShare(0.25);
  using watch = browser.time.stopwatch();
  expect(await browser.runs(500, watch)).toBe(500);
  expect(await browser.runs(4000, watch)).toBeCloseTo(500 + 1000);
  expect(browser.time.isScarce).toBe(true);
  expect(browser.time.realTime(milliseconds(1000))).toBe(5000);
});

test('a limit passes on a quiet machine when it says, and on a busy one when half of it was given', async () => {
  for (const [share, passes] of [
    [1, 5000],
    [0.5, 5000],
    [0.25, 500 + 2000 / 0.25],
    [0, 500 + 2000 / 0.1],
  ] as const) {
    const browser = starvedBrowser();
    browser.getsShare(share);
    using watch = browser.time.stopwatch();
    await browser.runs(500, watch);
    await browser.runs(passes - 800, watch);
    expect([share, watch.passed(milliseconds(5000))]).toEqual([share, false]);
    await browser.runs(600, watch);
    expect([share, watch.passed(milliseconds(5000))]).toEqual([share, true]);
  }
});

const NEVER = milliseconds(0);

test('a page is used as long in real time where its browser gets all it wants, and twice as long where it gets a fourth', async () => {
  for (const [share, real, had] of [
    [1, 20_000, 20_000],
    [0.25, 40_000, 20_000],
  ] as const) {
    const browser = starvedBrowser();
    browser.getsShare(share);
    using used = new UsedTime(browser.time, browser.clock);
    // an action takes a while, and some are long
    for (let passed = 0, turn = 0; passed < real; turn++) {
      const action = turn % 10 === 0 ? 400 : 40;
      await browser.clock.run(milliseconds(action));
      passed += action;
      void used.beside(NEVER);
    }
    expect(Math.abs(used.beside(NEVER) - had)).toBeLessThan(1500); // before the first look real time counts
    expect(browser.looks()).toBeLessThan(real / 350);
  }
});

test('a page that waited longer than its browser could compute has used no time', async () => {
  const browser = starvedBrowser();
  browser.getsShare(0.25);
  using used = new UsedTime(browser.time, browser.clock);
  for (let passed = 0; passed < 8000; passed += 400) {
    await browser.clock.run(milliseconds(400));
    void used.beside(NEVER);
  }
  expect(used.beside(milliseconds(8000))).toBe(0);
});

test('that a machine was busy is forgotten after a while', async () => {
  const browser = starvedBrowser();
  browser.getsShare(0.1);
  {
    using watch = browser.time.stopwatch();
    await browser.runs(1000, watch);
  }
  expect(browser.time.isScarce).toBe(true);
  await browser.clock.run(milliseconds(5001));
  expect(browser.time.isScarce).toBe(false);
});

test('two that wait share the looks, and one that begins later counts from then', async () => {
  const browser = starvedBrowser();
  browser.getsShare(0.5);
  using first = browser.time.stopwatch();
  await browser.runs(1000, first);
  using second = browser.time.stopwatch();
  await browser.runs(1000, {
    get given() {
      void second.given;
      return first.given;
    },
  });
  expect(first.given).toBeCloseTo(500 + 750);
  expect(second.given).toBeCloseTo(500 + 250);
  expect(browser.looks()).toBeLessThan(20);
});

test('time in which nobody waited is not counted when somebody waits again', async () => {
  const browser = starvedBrowser();
  {
    using watch = browser.time.stopwatch();
    await browser.runs(1000, watch);
  }
  await browser.clock.run(milliseconds(60_000));
  using watch = browser.time.stopwatch();
  expect(await browser.runs(1000, watch)).toBeCloseTo(1000);
});

test('a program that did not run itself blames nobody for it', async () => {
  const browser = starvedBrowser();
  using watch = browser.time.stopwatch();
  await browser.runs(600, watch);
  await browser.clock.run(milliseconds(30_000));
  expect(watch.given).toBeCloseTo(600 + 500);
});

test('without knowledge of the processes it is real time', async () => {
  const clock = handClock();
  const time = new GivenTime(null, clock);
  using watch = time.stopwatch();
  await clock.run(milliseconds(500));
  expect(watch.given).toBe(500);
  await clock.run(milliseconds(30_000));
  expect(watch.given).toBe(30_500);
  expect(time.isScarce).toBe(false);
});

test('a call that never answers is given up when its time has been given, and names the limit', async () => {
  const time = new GivenTime(null, { monotonic: () => milliseconds(performance.now()) });
  const signal = new AbortController().signal;
  const began = performance.now();
  const limit = milliseconds(700);
  const call = time.within(new Promise(() => {}), 'a call', { limit }, signal);
  let ended: number | null = null;
  call.catch(() => (ended = performance.now() - began));
  await vi.advanceTimersByTimeAsync(1000);
  await expect(call).rejects.toThrow('a call did not answer within 700 ms');
  expect(ended).toBe(700);
});

/** A stopped browser, on the clock of this machine. */
function stoppedBrowser(): GivenTime {
  const look = () => ({ threads: new Map(), stopped: true, cores: 1 });
  return new GivenTime(look, { monotonic: () => milliseconds(performance.now()) });
}

test('a call to a browser that is starved is given up when its visit must go on to its end', async () => {
  const signal = new AbortController().signal;
  const began = performance.now();
  const allowance = { limit: milliseconds(1200), latest: milliseconds(began + 1500) };
  const call = stoppedBrowser().within(new Promise(() => {}), 'a call', allowance, signal);
  let ended: number | null = null;
  call.catch(() => (ended = performance.now() - began));
  await vi.advanceTimersByTimeAsync(1490);
  expect(ended).toBeNull();
  await vi.advanceTimersByTimeAsync(100);
  await expect(call).rejects.toThrow('1200 ms');
  expect(ended).toBeGreaterThanOrEqual(1499);
});

test('a call to a browser that is starved may still answer beyond its limit', async () => {
  const signal = new AbortController().signal;
  let answer: (value: string) => void = () => {};
  const call = new Promise<string>((resolve) => (answer = resolve));
  setTimeout(() => answer('late'), 1800);
  const asked = stoppedBrowser().within(call, 'a call', { limit: milliseconds(1200) }, signal);
  await vi.advanceTimersByTimeAsync(1800);
  expect(await asked).toBe('late');
});

test('a page that shows progress is not given up at its limit, but when its visit must go on to its end', async () => {
  const time = new GivenTime(null, { monotonic: () => milliseconds(performance.now()) });
  const signal = new AbortController().signal;
  const began = performance.now();
  let progress = began;
  const silence = () => milliseconds(performance.now() - progress);
  const ended = { working: Number.NaN, fallenSilent: Number.NaN };
  const ask = (end: keyof typeof ended, latest: number): void => {
    const allowance = { limit: milliseconds(1000), latest: milliseconds(began + latest), silence };
    const call = time.within(new Promise(() => {}), 'a call', allowance, signal);
    call.catch(() => (ended[end] = performance.now() - began));
  };
  ask('working', 2000);
  ask('fallenSilent', 60_000);
  for (; progress < began + 3000; progress = performance.now()) await vi.advanceTimersByTimeAsync(100);
  expect(ended.working).toBeGreaterThanOrEqual(2000);
  expect(ended.working).toBeLessThan(2300);
  expect(ended.fallenSilent).toBeNaN();
  await vi.advanceTimersByTimeAsync(1000);
  // half a second after the last progress
  expect(ended.fallenSilent).toBeGreaterThan(3400);
});

test('progress does not prolong a call that no visit bounds', async () => {
  const time = new GivenTime(null, { monotonic: () => milliseconds(performance.now()) });
  const allowance = { limit: milliseconds(700), silence: () => milliseconds(0) };
  const call = time.within(new Promise(() => {}), 'a call', allowance, new AbortController().signal);
  call.catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  await expect(call).rejects.toThrow('a call did not answer within 700 ms');
});
