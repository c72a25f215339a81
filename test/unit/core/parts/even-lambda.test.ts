import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evenLambda } from '../../../../src/core/parts/even-lambda.ts';

it.each([
  [
    'by the domains that a part pays',
    [
      { lambda: 700, domains: 0 },
      { lambda: 0, domains: 5 },
      { lambda: 0, domains: 2 },
    ],
    [
      { from: 0, to: 1, amount: 500 },
      { from: 0, to: 2, amount: 200 },
    ],
  ],
  [
    'not where parts differ little',
    [
      { lambda: 505, domains: 1 },
      { lambda: 500, domains: 1 },
    ],
    [],
  ],
  [
    'not where nobody is paid',
    [
      { lambda: 900, domains: 0 },
      { lambda: 0, domains: 0 },
    ],
    [],
  ],
] as const)('evens lambda out %s', (_, parts, transfers) => {
  expect(evenLambda(parts)).toEqual(transfers);
});

it('sends no more than a part has, and leaves parts that are even', () => {
  const part = fc.record({ lambda: fc.integer({ min: 0, max: 2 ** 52 }), domains: fc.nat(1000) });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const lambda = parts.map((each) => each.lambda);
      for (const { from, to, amount } of evenLambda(parts)) {
        expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
        lambda[from] = (lambda[from] ?? 0) - amount;
        lambda[to] = (lambda[to] ?? 0) + amount;
      }
      expect(Math.min(...lambda)).toBeGreaterThanOrEqual(0);
      expect(evenLambda(parts.map(({ domains }, index) => ({ lambda: lambda[index] ?? 0, domains })))).toEqual([]);
    }),
  );
});
