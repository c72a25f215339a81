import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../../src/base/units.ts';
import { TokenBuckets } from '../../../src/egress/gate/token-buckets.ts';
import { handClock, type HandClock } from '../../support/hand-clock.ts';

const RATE = { burst: 100, perSecond: 20 };
const never = new AbortController().signal;
setMaxListeners(0, never); // many requests wait at once in one test; in a crawl each has its own signal

/** The time at which each of `count` simultaneous requests was let go. */
async function letGo(clock: HandClock, buckets: TokenBuckets, count: number, during = 5): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const turn = buckets.take('a.example', RATE, never);
    if (turn === null) times.push(clock.monotonic());
    else void turn.then(() => times.push(clock.monotonic()));
  }
  await clock.run(seconds(during));
  return times;
}

describe('a host that may get a hundred requests at once and twenty a second', () => {
  it('gets a hundred at once and then one every 50 ms', async () => {
    const clock = handClock();
    const times = await letGo(clock, new TokenBuckets(clock), 150);
    expect(times.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 0));
    expect(times.slice(100)).toEqual(Array.from({ length: 50 }, (_, index) => (index + 1) * 50));
  });

  it('gets a hundred at once again after five seconds of rest, and no more after an hour', async () => {
    const clock = handClock();
    const buckets = new TokenBuckets(clock);
    await letGo(clock, buckets, 100, 5);
    for (const rest of [0, 3600]) {
      await clock.run(seconds(rest));
      const start = clock.monotonic();
      const times = await letGo(clock, buckets, 101, 5);
      expect(times.filter((time) => time === start)).toHaveLength(100);
    }
  });

  it('does not make another host wait', async () => {
    const clock = handClock();
    const buckets = new TokenBuckets(clock);
    for (let index = 0; index < 200; index += 1) void buckets.take('a.example', RATE, never);
    expect(buckets.waiting('a.example')).toBe(100);
    expect(buckets.take('b.example', RATE, never)).toBeNull();
  });

  it('never gets more than its burst and its rate within any stretch of time, and everybody in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.integer({ min: 0, max: 4000 }), count: fc.integer({ min: 1, max: 60 }) }), {
          maxLength: 4,
        }),
        async (steps) => {
          const clock = handClock();
          const buckets = new TokenBuckets(clock);
          const times: number[] = [];
          for (const { pause, count } of steps) {
            await clock.run(milliseconds(pause));
            for (let index = 0; index < count; index += 1) {
              const turn = buckets.take('a.example', RATE, never);
              if (turn === null) times.push(clock.monotonic());
              else void turn.then(() => times.push(clock.monotonic()));
            }
          }
          await clock.run(seconds(15));
          expect(times).toHaveLength(steps.reduce((sum, { count }) => sum + count, 0));
          for (let from = 0; from < times.length; from += 1) {
            for (let to = from; to < times.length; to += 10) {
              const span = (times[to] ?? 0) - (times[from] ?? 0);
              expect(to - from + 1).toBeLessThanOrEqual(RATE.burst + (span * RATE.perSecond) / 1000 + 1e-6);
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

it('who has gone does not cost a token, nor hold up who waits behind', async () => {
  const clock = handClock();
  const buckets = new TokenBuckets(clock);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  for (let index = 0; index < 100; index += 1) void buckets.take('a.example', RATE, never);
  const gone = Array.from({ length: 50 }, () => buckets.take('a.example', RATE, stop.signal));
  const times: number[] = [];
  void buckets.take('a.example', RATE, never)?.then(() => times.push(clock.monotonic()));
  const ends = Promise.allSettled(gone.flatMap((turn) => turn ?? []));
  stop.abort(new Error('gone'));
  expect((await ends).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 'rejected'));
  await clock.run(seconds(1));
  expect(times).toEqual([50]);
});

it('hosts whose buckets are full are forgotten', async () => {
  const clock = handClock();
  const buckets = new TokenBuckets(clock);
  for (let index = 0; index < 5000; index += 1) {
    expect(buckets.take(`h${index}.example`, RATE, never)).toBeNull();
    if (index % 500 === 0) await clock.run(seconds(5));
  }
  expect(buckets.size).toBeLessThanOrEqual(1500);
});
