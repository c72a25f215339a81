import { expect, test } from 'vitest';
import { FNV_BASIS, FNV_PRIME, fnv1a, hash64, mixed } from '../../../src/base/hash.ts';

test('FNV-1a and the finalizer of MurmurHash3 give the numbers that others give, for what is stored was made with them', () => {
  // the test vectors of Fowler, Noll and Vo, 32 bits
  expect(['', 'a', 'foobar'].map((text) => fnv1a(text) >>> 0)).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  expect([FNV_BASIS, FNV_PRIME]).toEqual([2166136261, 16777619]);
  expect([0, 1, 0xffff_ffff].map(mixed)).toEqual([0, 0x514e28b7, 0x81f16f39]);
});

test('the names of findings stay what they are, and two hundred thousand of them differ', () => {
  // the values as first stored: baselines contain them
  expect(['', 'broken-link\n/gone\n', 'ü'].map(hash64)).toEqual([
    'ab3e7c0bd9aaf7d3',
    '9f23a279aec6c93c',
    '0804bcd13d5a49d6',
  ]);
  const names = new Set(Array.from({ length: 200_000 }, (_, index) => hash64(`missing-title\n/p/${index}\n`)));
  expect(names.size).toBe(200_000);
});
