import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fingerprintNumber } from '../../../src/frontier/fingerprint-number.ts';
import { FRONTIER_KEYS } from '../../../src/frontier/keys.ts';
import { kindMark, kindOfMark } from '../../../src/frontier/kind-letter.ts';
import { LINK_KINDS } from '../../../src/model/link-kinds.ts';
import { LINK_CONFIDENCES } from '../../../src/model/link.ts';

const folder = new URL('../../../src/frontier/lua/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.lua'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** `queue:<shard>:<host>` in the table and `queue:` in a script are the same key. */
const stem = (name: string): string => name.replace(/:.*$/, '');

test('the table of keys names what the scripts use, and nothing else', () => {
  const used = sources.flatMap((source) => [...source.matchAll(/\bkey\('([a-z-]+)/g)].map((match) => match[1] ?? ''));
  // key names of lists by which hosts are handled: the scripts contain them as plain names
  const listed = ['load', 'due', 'ready', 'awaiting-dns'];
  expect(new Set(['meta', ...listed, ...used])).toEqual(new Set(FRONTIER_KEYS.map(({ name }) => stem(name))));
});

test('a key has one row in the table', () => {
  const stems = FRONTIER_KEYS.map(({ name }) => stem(name));
  expect(new Set(stems).size).toBe(stems.length);
});

test('every kind of link has a letter of its own and is found by it', () => {
  const kinds = [...LINK_KINDS, 'seed' as const];
  // Redis data contains these letters: a letter never gets another meaning
  const marks = kinds.map((kind) => kindMark({ kind, confidence: 'high' }));
  expect(marks.join('')).toBe('arfomhldynwctjupbeivxqks');
  expect(new Set(marks).size).toBe(marks.length);
  for (const kind of kinds) {
    for (const confidence of LINK_CONFIDENCES) {
      expect(kindOfMark(kindMark({ kind, confidence }))).toEqual({ kind, confidence });
    }
  }
  expect(() => kindOfMark('?')).toThrow(TypeError);
});

test('a fingerprint is 63 bits of the SHA-1 as a decimal number', () => {
  // sha1sum of the text begins with 166d9d911dbbe419; the first bit is cut off.
  expect(fingerprintNumber('https://example.org/')).toBe('1616121087890547737');
  for (let number = 0; number < 200; number += 1) {
    expect(BigInt(fingerprintNumber(`https://example.org/${number}`))).toBeLessThan(2n ** 63n);
  }
  expect(fingerprintNumber('https://example.org/a')).not.toBe(fingerprintNumber('https://example.org/b'));
});
