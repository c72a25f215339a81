import { expect, test } from 'vitest';
import { milliseconds, type Milliseconds } from '../../../../src/base/units.ts';
import { InteractionBudget } from '../../../../src/core/interaction/interaction-budget.ts';

const LIMITS = {
  actions: 10,
  earnedActions: 20,
  reloads: 2,
  earnedReloads: 3,
  time: milliseconds(1000),
  earnedTime: milliseconds(5000),
};
const open = (): InteractionBudget => new InteractionBudget(LIMITS, milliseconds(60_000));
const at = (now: number, spent = now): { now: Milliseconds; spent: Milliseconds } => ({
  now: milliseconds(now),
  spent: milliseconds(spent),
});

function actions(budget: InteractionBudget, yields: boolean): number {
  let count = 0;
  for (; count < 1000 && budget.mayAct(at(0)); count++) {
    budget.acted();
    if (yields) budget.yielded();
  }
  return count;
}

test('a page that brings nothing has its actions and no more', () => expect(actions(open(), false)).toBe(10));

test('what brings links earns more, up to a bound', () => expect(actions(open(), true)).toBe(30));

test('time ends it, earned by the second for what brings links, up to a bound', () => {
  const budget = open();
  expect(budget.mayAct(at(999))).toBe(true);
  expect(budget.mayAct(at(1000))).toBe(false);
  budget.yielded();
  expect(budget.mayAct(at(1999))).toBe(true);
  for (let count = 0; count < 50; count++) budget.yielded();
  expect(budget.time).toBe(6000);
});

test('only time that was spent counts, and the end of the visit all the same', () => {
  const budget = open();
  expect(budget.mayAct(at(59_999, 999))).toBe(true);
  expect(budget.mayAct(at(60_000, 999))).toBe(false);
});

test('what ended it is known', () => {
  const budget = open();
  expect(budget.exhausted(at(999))).toBeNull();
  expect(budget.exhausted(at(1000))).toBe('time');
  for (let count = 0; count < 10; count++) budget.acted();
  expect(budget.exhausted(at(0))).toBe('actions');
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
