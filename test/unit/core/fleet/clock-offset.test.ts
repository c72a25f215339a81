import { expect, it } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { isStep, offsetSample, surer } from '../../../../src/core/fleet/clock-offset.ts';

it('another clock was read half-way between question and answer, give or take half of that', () => {
  expect(offsetSample(1000, { asked: 100, answered: 110 }, milliseconds(5))).toEqual({
    offset: 895,
    uncertainty: 5,
    at: 5,
  });
});

it('the surest answer counts, until it is so old that clocks may have come apart as far', () => {
  const quick = offsetSample(1000, { asked: 100, answered: 102 }, milliseconds(0));
  const slow = offsetSample(1000, { asked: 100, answered: 200 }, milliseconds(1000));
  expect([surer(null, slow), surer(quick, slow), surer(slow, quick)]).toEqual([slow, quick, quick]);
  const muchLater = offsetSample(1000, { asked: 100, answered: 110 }, milliseconds(60_000));
  expect(surer(quick, muchLater)).toEqual(muchLater);
});

it('a difference that neither drift nor the way of the answers explains is a clock that was set', () => {
  const at = (other: number): ReturnType<typeof offsetSample> =>
    offsetSample(other, { asked: 0, answered: 20 }, milliseconds(0));
  expect([isStep(at(0), at(519)), isStep(at(0), at(521)), isStep(at(0), at(-3_600_000))]).toEqual([false, true, true]);
});
