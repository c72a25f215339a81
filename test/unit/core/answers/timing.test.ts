import fc from 'fast-check';
import { expect, test } from 'vitest';
import { epochMs, milliseconds } from '../../../../src/base/units.ts';
import { timingOf, type Moments } from '../../../../src/core/answers/answer-outcome.ts';

function timing(moments: readonly number[], known: Partial<Moments> = {}): ReturnType<typeof timingOf> {
  const [started = 0, answered = 0, loaded = 0, settled = 0, ended = 0] = moments.map(milliseconds);
  const dates = { leasedAt: epochMs(1000), startedAt: epochMs(1007) };
  return timingOf({
    ...dates,
    started: milliseconds(started),
    answered: milliseconds(answered),
    loaded: milliseconds(loaded),
    settled: milliseconds(settled),
    ended: milliseconds(ended),
    ...known,
  });
}

test('the times of a visit are whole milliseconds from its start', () => {
  expect(timing([10.2, 14.9, 110.2, 310.2, 320.2])).toEqual({ wait: 7, ttfb: 5, load: 100, settle: 200, total: 310 });
});

test('what a visit did not come to takes no time', () => {
  expect(timing([0, 5, 0, 0, 40], { loaded: null, settled: null })).toMatchObject({ load: 40, settle: 0, total: 40 });
  expect(timing([0, 5, 20, 0, 40], { settled: null })).toMatchObject({ load: 20, settle: 20, total: 40 });
});

test('loading and settling come to no more than the whole visit, however the moments lie', () => {
  expect(timing([0, 1, 1.5, 3, 3])).toMatchObject({ load: 2, settle: 1, total: 3 });
  const moment = fc.double({ min: 0, max: 30_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(moment, { minLength: 5, maxLength: 5 }), (moments) => {
      const { ttfb, load, settle, total } = timing(moments.toSorted((one, other) => one - other));
      expect(ttfb).toBeLessThanOrEqual(load);
      expect(load + settle).toBeLessThanOrEqual(total);
    }),
  );
});
