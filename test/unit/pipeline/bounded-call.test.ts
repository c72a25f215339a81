import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../../src/base/units.ts';
import { boundedCall } from '../../../src/pipeline/bounded-call.ts';

const LIMIT = milliseconds(200);

describe('a call that is bounded', () => {
  it('gives what the function gives, also nothing, and throws what it throws', () => {
    expect(boundedCall(() => 5, LIMIT)).toBe(5);
    expect(boundedCall(() => undefined, LIMIT)).toBe(undefined);
    const own = new TypeError('own');
    expect(() =>
      boundedCall(() => {
        throw own;
      }, LIMIT),
    ).toThrow(own);
  });

  it.each<readonly [string, () => unknown]>([
    [
      'a loop',
      () => {
        for (;;);
      },
    ],
    ['a pattern', () => /^(a+)+$/.test(`${'a'.repeat(100)}b`)],
  ])('is ended where it hangs in %s, and what waits goes on', async (_what, hang) => {
    const others = Promise.resolve().then(() => 'unharmed');
    const visit = async (): Promise<unknown> => {
      await Promise.resolve();
      return boundedCall(hang, LIMIT);
    };
    await expect(visit()).rejects.toThrow('it was ended after 200 ms');
    expect(await others).toBe('unharmed');
    expect(boundedCall(() => 'again', LIMIT)).toBe('again');
  });

  it('may hold another one', () => {
    expect(boundedCall(() => [boundedCall(() => 1, LIMIT), boundedCall(() => 2, LIMIT)], LIMIT)).toEqual([1, 2]);
  });
});
