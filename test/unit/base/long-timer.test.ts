import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLongTimer } from '../../../src/base/long-timer.ts';
import { hours, milliseconds, type Milliseconds } from '../../../src/base/units.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const days = (count: number): Milliseconds => hours(24 * count);

test.each([
  ['a minute', milliseconds(60_000)],
  ['the longest wait of a Node timer', milliseconds(2 ** 31 - 1)],
  ['a millisecond more', milliseconds(2 ** 31)],
  ['30 days', days(30)],
  ['60 days', days(60)],
])('a timer of %s rings once, when its time is over', (_title, wait) => {
  const ring = vi.fn();
  using _timer = startLongTimer(wait, ring);
  vi.advanceTimersByTime(wait - 1);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(days(90));
  expect(ring).toHaveBeenCalledOnce();
});

test('a timer that is disposed does not ring, not even in its second part', () => {
  const ring = vi.fn();
  const timer = startLongTimer(days(30), ring);
  vi.advanceTimersByTime(days(28));
  timer[Symbol.dispose]();
  vi.advanceTimersByTime(days(90));
  expect(ring).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
