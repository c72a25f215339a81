import { expect, test } from 'vitest';
import { seldom } from '../../../src/base/seldom.ts';
import { seconds } from '../../../src/base/units.ts';

test('an action counts at once, and then not before the pause is over', () => {
  let now = 0;
  const calls: number[] = [];
  const say = seldom(
    seconds(10),
    (number: number) => calls.push(number),
    () => now,
  );
  for (now = 0; now <= 25_000; now += 1000) say(now);
  expect(calls).toEqual([0, 10_000, 20_000]);
});
