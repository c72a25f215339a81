import { expect, test } from 'vitest';
import { parsedJson, safeJson } from '../../../src/base/safe-json.ts';

const HOSTILE = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)),
  ...[
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\ufeff',
  ],
  '\u{e0041}',
  '\ud800',
  '\udfff',
].join('x');

test.each([0, 2])('JSON holds nothing that a terminal obeys, and is the same value (indent %i)', (indent) => {
  const value = { [HOSTILE]: [HOSTILE, { deep: HOSTILE }], plain: 'Käse 日本 😀', nothing: null };
  const json = safeJson(value, indent);
  expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain('Käse 日本 😀');
});

test('what JSON cannot say is null', () => {
  expect(safeJson(undefined)).toBe('null');
});

test('what is no JSON has no value, and null has one', () => {
  expect(['{"a":1}', 'null', '', '{', 'undefined'].map(parsedJson)).toEqual([
    { a: 1 },
    null,
    undefined,
    undefined,
    undefined,
  ]);
});
