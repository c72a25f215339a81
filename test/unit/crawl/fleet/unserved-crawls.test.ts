import { expect, it } from 'vitest';
import { CrawlError } from '../../../../src/base/errors.ts';
import { milliseconds, minutes, seconds } from '../../../../src/base/units.ts';
import { UnservedCrawls } from '../../../../src/crawl/fleet/unserved-crawls.ts';

const full = new CrawlError('DISK_FULL', 'the disk is full');
const refused = new CrawlError('WORKER_REFUSED', 'it signs in');

it('a crawl is served again after a pause, which grows up to ten minutes', () => {
  let time = 0;
  const unserved = new UnservedCrawls({ monotonic: () => milliseconds(time) });
  expect(unserved.isTried('c-1')).toBe(true);
  const pauses = [full, new Error('unknown'), full, full, full, full, full, full].map((error) => {
    const pause = unserved.failed('c-1', error, seconds(1)) ?? 0;
    time += pause - 1;
    expect(unserved.isTried('c-1')).toBe(false);
    time += 1;
    expect([unserved.isTried('c-1'), unserved.isTried('c-2')]).toEqual([true, true]);
    return pause / 1000;
  });
  expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
});

it('the pause begins anew where the crawl was served for long', () => {
  const unserved = new UnservedCrawls({ monotonic: () => milliseconds(0) });
  unserved.failed('c-1', full, seconds(1));
  expect(unserved.failed('c-1', full, seconds(1))).toBe(seconds(20));
  expect(unserved.failed('c-1', full, minutes(11))).toBe(seconds(10));
});

it('a crawl that takes no such worker is left alone until it is led anew', () => {
  let time = 0;
  const unserved = new UnservedCrawls({ monotonic: () => milliseconds(time) });
  expect(unserved.failed('c-1', refused, seconds(0))).toBeNull();
  time += minutes(60);
  unserved.keep(['c-1']);
  expect(unserved.isTried('c-1')).toBe(false);
  unserved.keep([]);
  expect(unserved.isTried('c-1')).toBe(true);
});

it('a crawl whose data stay away is told once, and a moment without them is not', () => {
  let time = 0;
  const unserved = new UnservedCrawls({ monotonic: () => milliseconds(time) });
  const missedFor = (length: number): readonly number[] => {
    const said: number[] = [];
    for (const end = time + length; time < end; time += 1000) if (unserved.isMissing('c-1')) said.push(time);
    return said;
  };
  expect(missedFor(3000)).toEqual([]);
  time += minutes(60); // it was served
  expect(missedFor(3000)).toEqual([]);
  unserved.keep([]);
  const began = time;
  expect(missedFor(60_000)).toEqual([began + 10_000]);
  unserved.keep([]);
  expect(missedFor(20_000)).toEqual([began + 70_000]);
});
