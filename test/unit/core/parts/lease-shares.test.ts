import { expect, it } from 'vitest';
import { leaseShares } from '../../../../src/core/parts/lease-shares.ts';

it.each([
  [
    'the highest priorities of all',
    [
      [9, 3],
      [8, 7, 1],
    ],
    3,
    [1, 2],
  ],
  ['no more than are due', [[9], []], 5, [1, 0]],
  ['of equal ones those of earlier parts', [[5, 5], [5]], 2, [2, 0]],
  ['hosts with nothing but speculative links last', [[-1], [2]], 1, [0, 1]],
  ['nothing where nothing is due', [[], []], 4, [0, 0]],
] as const)('leases from parts %s', (_, priorities, count, shares) => {
  expect(leaseShares(priorities, count)).toEqual(shares);
});
