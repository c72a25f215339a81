import { describe, expect, it } from 'vitest';
import { bytes, milliseconds } from '../../../src/base/units.ts';
import { Batch, type BatchLimits } from '../../../src/warc/batch.ts';

const LIMITS: BatchLimits = { items: 3, bytes: bytes(100), age: milliseconds(3_600_000) };

/** A batch, and the items that it has flushed. */
function batchOf(limits: Partial<BatchLimits> = {}): { batch: Batch<string>; handed: (readonly string[])[] } {
  const handed: (readonly string[])[] = [];
  return { batch: new Batch({ ...LIMITS, ...limits }, (items) => handed.push(items)), handed };
}

describe('what waits in a batch', () => {
  it('is handed on in its order when it is asked for, once', () => {
    const { batch, handed } = batchOf();
    batch.add('a', 1);
    batch.add('b', 1);
    expect(handed).toEqual([]);
    batch.flush();
    batch.flush();
    expect(handed).toEqual([['a', 'b']]);
  });

  it('is handed on when there are enough of it', () => {
    const { batch, handed } = batchOf();
    for (const item of ['a', 'b', 'c', 'd', 'e']) batch.add(item, 1);
    expect(handed).toEqual([['a', 'b', 'c']]);
    batch.flush();
    expect(handed).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('is handed on when it is large, counted anew each time', () => {
    const { batch, handed } = batchOf();
    for (const [item, size] of [
      ['a', 60],
      ['b', 60],
      ['c', 60],
      ['d', 100],
    ] as const)
      batch.add(item, size);
    expect(handed).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('is handed on by itself when it has waited long, and so is what comes after', async () => {
    const handed: (readonly string[])[] = [];
    let tell = (): void => {};
    const batch = new Batch<string>({ ...LIMITS, age: milliseconds(1) }, (items) => {
      handed.push(items);
      tell();
    });
    for (const item of ['a', 'b']) {
      const told = new Promise<void>((resolve) => (tell = resolve));
      batch.add(item, 1);
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is looked at
      await told;
    }
    expect(handed).toEqual([['a'], ['b']]);
  });
});
