import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { createDisposal } from '../../../src/base/disposal.ts';
import { silentLog } from '../../../src/base/log.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { crawlTotals, NO_TOTALS, watchProgress, type ProgressSource } from '../../../src/crawl/summary/progress.ts';
import type { FrontierTotals, HostState } from '../../../src/frontier/frontier.ts';
import { hostKeyOf } from '../../../src/model/url/host-key.ts';
import { url } from '../../support/page.ts';

const clock: Clock = {
  now: () => epochMs(Date.now()),
  monotonic: () => milliseconds(performance.now()),
  sleep: () => Promise.resolve(),
};
const slow: HostState = {
  host: hostKeyOf(url('http://slow.example/')),
  due: epochMs(0),
  queued: 7,
  leased: 1,
  failures: 0,
};

const ENDED: FrontierTotals = {
  discovered: 9,
  visited: 9,
  failed: 0,
  skipped: 0,
  queued: 0,
  leased: 0,
  hosts: 0,
  withheld: 0,
  queuedAgain: 0,
  leasedAgain: 0,
};

/** A crawl that ends ten pages a second, from now on. */
function source(given: Partial<ProgressSource> & { readonly totals?: () => FrontierTotals }): ProgressSource {
  const began = Date.now();
  const visited = (): number => Math.floor((Date.now() - began) / 100);
  const totals =
    given.totals ??
    ((): FrontierTotals => ({
      discovered: 1000,
      visited: visited(),
      failed: 0,
      skipped: 0,
      queued: 998 - visited(),
      leased: 2,
      hosts: 3,
      withheld: 0,
      queuedAgain: 0,
      leasedAgain: 0,
    }));
  const frontier = {
    totals: async () => totals(),
    slowestHosts: () => Promise.resolve([slow]),
  };
  return {
    frontier: frontier as unknown as ProgressSource['frontier'],
    clock,
    log: silentLog,
    disposal: createDisposal(),
    visiting: () => 2,
    stopping: () => false,
    pagesLeft: () => null,
    timeLeft: () => null,
    delayOf: () => milliseconds(1500),
    hostsWaiting: () => [],
    ...given,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the figures of a running crawl', () => {
  it('has the totals of the start until the frontier answers, also where it never does', async () => {
    const totals = (): FrontierTotals => {
      throw new Error('Redis was emptied');
    };
    using watch = watchProgress(source({ totals }));
    watch.begin(ENDED);
    await vi.advanceTimersByTimeAsync(1000);
    expect(watch.current().totals).toEqual(crawlTotals(ENDED));
  });

  it('count what is leased as queued, so that the counters add up', () => {
    const totals = crawlTotals({
      discovered: 9,
      visited: 1,
      failed: 2,
      skipped: 3,
      queued: 1,
      leased: 2,
      hosts: 1,
      withheld: 0,
      queuedAgain: 0,
      leasedAgain: 0,
    });
    expect(totals).toEqual({ discovered: 9, visited: 1, failed: 2, skipped: 3, queued: 3 });
  });

  it('are there at once, and empty', () => {
    using watch = watchProgress(source({}));
    expect(watch.current()).toMatchObject({ totals: NO_TOTALS, pagesPerSecond: 0, slowestHost: null, visiting: 2 });
  });

  it('tell the pace of the last thirty seconds and the slowest host', async () => {
    using watch = watchProgress(source({}));
    await vi.advanceTimersByTimeAsync(5000);
    const { pagesPerSecond, slowestHost, elapsed } = watch.current();
    expect(pagesPerSecond).toBeCloseTo(10, 0);
    expect(slowestHost).toEqual({ host: 'http://slow.example', queued: 7, delay: 1500 });
    expect(elapsed).toBeCloseTo(5000, -2);
  });

  it('forget a pace that is over', async () => {
    let visited = 0;
    using watch = watchProgress(source({ totals: () => ({ ...ENDED, visited: Math.min((visited += 1), 8) }) }));
    await vi.advanceTimersByTimeAsync(2000);
    expect(watch.current().pagesPerSecond).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(watch.current().pagesPerSecond).toBe(0);
  });

  it('tell the nearer of both limits', async () => {
    const limits = { pagesLeft: () => 100, timeLeft: () => milliseconds(4000) };
    using both = watchProgress(source(limits));
    using pages = watchProgress(source({ pagesLeft: () => 100 }));
    using none = watchProgress(source({}));
    await vi.advanceTimersByTimeAsync(5000);
    expect(both.current().timeLeft).toBe(4000);
    expect((pages.current().timeLeft ?? 0) / 1000).toBeCloseTo(10, 0);
    expect(none.current().timeLeft).toBeNull();
  });

  it('tell how long Redis has not answered, where that is long', async () => {
    let answer = (_totals: FrontierTotals): void => {};
    const promise = new Promise<FrontierTotals>((resolve) => (answer = resolve));
    const frontier = { totals: () => promise, slowestHosts: () => Promise.resolve([]) };
    using watch = watchProgress(source({ frontier: frontier as unknown as ProgressSource['frontier'] }));
    await vi.advanceTimersByTimeAsync(5000);
    expect(watch.current().redisSilence).toBeNull();
    await vi.advanceTimersByTimeAsync(3000);
    expect(watch.current().redisSilence).toBe(7750);
    answer(ENDED);
    await vi.advanceTimersByTimeAsync(100);
    expect(watch.current()).toMatchObject({ redisSilence: null, totals: { visited: 9 } });
  });

  it('stay as they were where the frontier does not answer, and ask no more once disposed', async () => {
    let asked = 0;
    const failing = (): FrontierTotals => {
      asked += 1;
      throw new Error('gone');
    };
    const watch = watchProgress(source({ totals: failing }));
    await vi.advanceTimersByTimeAsync(1000);
    expect([watch.current().totals, asked]).toEqual([NO_TOTALS, 4]);
    watch[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toBe(4);
  });
});
