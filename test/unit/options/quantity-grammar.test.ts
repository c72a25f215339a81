import { describe, expect, test } from 'vitest';
import { durationText, parseDuration, parseSize } from '../../../src/options/quantity-grammar.ts';

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['30', 30_000],
    ['0', 0],
    ['1.5', 1500],
    ['0.25s', 250],
    ['1.5m', 90_000],
    ['2H', 7_200_000],
    [' 10s ', 10_000],
    ['0.4ms', 0],
  ])('written %s is %i milliseconds', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    's',
    '-1',
    '-1s',
    '+1s',
    '1e3',
    '1,5s',
    '5 m',
    '1h30m',
    '5min',
    '5sec',
    'NaN',
    'Infinity',
    '0x10',
    '.5s',
    '5.',
    '1_000',
    '١s',
    '1w',
    'constructor',
    '5constructor',
  ])('is not written %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('a size', () => {
  test.each([
    ['0', 0],
    ['100', 100],
    ['100b', 100],
    ['1kb', 1024],
    ['1.5kb', 1536],
    ['20mb', 20 * 1024 * 1024],
    ['1GB', 1024 ** 3],
  ])('written %s is %i bytes', (text, expected) => {
    expect(parseSize(text)).toBe(expected);
  });

  test.each(['', '-1', '1.5', '0.0001kb', '1tb', '1k', '1 kb', 'kb', '1e3', '999999999999gb', '5toString'])(
    'is not written %j',
    (text) => {
      expect(parseSize(text)).toBeNull();
    },
  );
});

test.each([
  [0, '0'],
  [500, '500ms'],
  [1000, '1s'],
  [90_000, '90s'],
  [60_000, '1m'],
  [7_200_000, '2h'],
  [30 * 86_400_000, '30d'],
])('%i milliseconds are shown as a flag takes them: %s', (duration, text) => {
  expect(durationText(duration)).toBe(text);
  expect(parseDuration(durationText(duration))).toBe(duration);
});
