import { expect, test } from 'vitest';
import { milliseconds } from '../../../../src/base/units.ts';
import { InteractionBudget } from '../../../../src/core/interaction/interaction-budget.ts';

const LIMITS = {
  actions: 10,
  earnedActions: 20,
  reloads: 2,
  earnedReloads: 3,
  time: milliseconds(1000),
  earnedTime: milliseconds(5000),
};
const START = milliseconds(100);
const open = (until = 60_000): InteractionBudget =>
  new InteractionBudget(LIMITS, { since: START, until: milliseconds(until) });

function actions(budget: InteractionBudget, yields: boolean): number {
  let count = 0;
  for (; count < 1000 && budget.mayAct(START); count++) {
    budget.acted();
    if (yields) budget.yielded();
  }
  return count;
}

test('a page that brings nothing has its actions and no more', () => expect(actions(open(), false)).toBe(10));

test('what brings links earns more, up to a bound', () => expect(actions(open(), true)).toBe(30));

test('time ends it, earned by the second for what brings links, up to a bound and never beyond the visit', () => {
  const budget = open();
  expect(budget.mayAct(milliseconds(1099))).toBe(true);
  expect(budget.mayAct(milliseconds(1100))).toBe(false);
  budget.yielded();
  expect(budget.mayAct(milliseconds(2099))).toBe(true);
  for (let count = 0; count < 50; count++) budget.yielded();
  expect(budget.until).toBe(6100);
  const short = open(1500);
  for (let count = 0; count < 50; count++) short.yielded();
  expect(short.until).toBe(1500);
});

test('a load after which links came is given back, up to a bound', () => {
  const loads = (yields: boolean): number => {
    const budget = open();
    let count = 0;
    while (budget.reload()) {
      count += 1;
      if (yields) budget.yielded();
    }
    return count;
  };
  expect(loads(false)).toBe(2);
  expect(loads(true)).toBe(5);
});
