import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LruMap } from '../../../src/base/lru-map.ts';

const kept = (map: LruMap<string, number>, keys: string): string => [...keys].filter((key) => map.has(key)).join('');

test('what was used longest ago makes room, and to look at a value is no use', () => {
  const map = new LruMap<string, number>(3);
  for (const [index, key] of [...'abc'].entries()) map.set(key, index);
  expect(map.get('a')).toBe(0);
  expect(map.peek('b')).toBe(1);
  map.set('d', 3);
  expect(kept(map, 'abcd')).toBe('acd');
  map.set('c', 4);
  expect(map.getOrMake('a', () => 9)).toBe(0);
  expect(map.getOrMake('e', () => 5)).toBe(5);
  expect(kept(map, 'abcde')).toBe('ace');
  expect([map.delete('c'), map.delete('c'), map.size, map.get('c')]).toEqual([true, false, 2, undefined]);
});

test('values of different weights make room for each other, and one that is too heavy is not kept', () => {
  const map = new LruMap<string, number>(10, { of: (value) => value, most: 100 });
  map.set('a', 40);
  map.set('b', 40);
  map.set('a', 50);
  map.set('c', 20);
  expect(kept(map, 'abc')).toBe('ac');
  map.set('d', 101);
  expect([kept(map, 'abcd'), map.size]).toEqual(['', 0]);
  map.set('e', 100);
  expect(kept(map, 'e')).toBe('e');
});

test('whatever happens to it, it holds what a list in the order of use would', () => {
  const act = fc.tuple(fc.constantFrom('set', 'get', 'peek', 'delete', 'make'), fc.constantFrom(...'abcdefgh'));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(act, { maxLength: 100 }), (limit, acts) => {
      const map = new LruMap<string, number>(limit);
      let list: readonly string[] = [];
      for (const [index, [what, key]] of acts.entries()) {
        const known = list.includes(key);
        const without = list.filter((each) => each !== key);
        if (what === 'set') map.set(key, index);
        else if (what === 'make') map.getOrMake(key, () => index);
        else if (what === 'delete') expect(map.delete(key)).toBe(known);
        else expect((what === 'get' ? map.get(key) : map.peek(key)) !== undefined).toBe(known);
        if (what === 'delete') list = without;
        else if (what !== 'peek' && (known || what !== 'get')) list = [...without, key].slice(-limit);
        expect([...'abcdefgh'].filter((each) => map.has(each))).toEqual(list.toSorted());
        expect(map.size).toBe(list.length);
      }
    }),
  );
});
