import { describe, expect, test } from 'vitest';
import { Gauge } from '../../../src/base/gauge.ts';
import { PoolSlot } from '../../../src/render/pool-slot.ts';

const { signal } = new AbortController();

/** A pool that records the calls of slots. */
function poolThat(mayWait: boolean): { readonly calls: string[]; readonly waiting: Gauge; readonly slot: PoolSlot } {
  const calls: string[] = [];
  const waiting = new Gauge();
  const pool = {
    mayWait: () => mayWait,
    enter: (_signal: AbortSignal, place?: 'first' | 'last') => {
      calls.push(`enter ${place}`);
      return Promise.resolve();
    },
    leave: () => void calls.push('leave'),
  };
  return { calls, waiting, slot: new PoolSlot(pool, waiting) };
}

describe('the slot of a page', () => {
  test('is given away once, taken back before all others, and given back at the end', async () => {
    const { calls, waiting, slot } = poolThat(true);
    slot.giveWay();
    slot.giveWay();
    expect([calls, waiting.value]).toEqual([['leave'], 1]);
    await slot.takeBack(signal);
    await slot.takeBack(signal);
    expect([calls, waiting.value]).toEqual([['leave', 'enter first'], 0]);
    slot.leave();
    expect(calls).toEqual(['leave', 'enter first', 'leave']);
  });

  test('stays where too many wait already', async () => {
    const { calls, waiting, slot } = poolThat(false);
    slot.giveWay();
    await slot.takeBack(signal);
    expect([calls, waiting.value]).toEqual([[], 0]);
  });

  test('of a visit that ends while it is away is not given back twice', () => {
    const { calls, waiting, slot } = poolThat(true);
    slot.giveWay();
    slot.leave();
    expect([calls, waiting.value]).toEqual([['leave'], 0]);
  });

  test('that cannot be taken back stays away', async () => {
    const waiting = new Gauge();
    const pool = { mayWait: () => true, enter: () => Promise.reject(new Error('over')), leave: () => {} };
    const slot = new PoolSlot(pool, waiting);
    slot.giveWay();
    await expect(slot.takeBack(signal)).rejects.toThrow('over');
    expect(waiting.value).toBe(1);
    slot.leave();
    expect(waiting.value).toBe(0);
  });
});

test('a gauge says each change to those who follow it', () => {
  const gauge = new Gauge();
  const seen: number[] = [];
  gauge.onChange(() => seen.push(gauge.value));
  gauge.add(2);
  gauge.add(-1);
  expect(seen).toEqual([2, 1]);
});
