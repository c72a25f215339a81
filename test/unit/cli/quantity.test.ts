import { describe, expect, test } from 'vitest';
import {
  durationText,
  durationWords,
  parseDuration,
  parseSize,
  stopwatch,
  sizeWords,
} from '../../../src/cli/quantity.ts';

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

test.each([
  [0, '0 ms'],
  [371.4, '371 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [4249, '4.2 s'],
  [59_499, '59 s'],
  [59_999, '1 min'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [3_599_999, '1 h'],
  [7_380_000, '2 h 3 min'],
])('%d milliseconds read %s', (duration, words) => {
  expect(durationWords(duration)).toBe(words);
});

test.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
])('a stopwatch shows %i milliseconds as %s', (duration, text) => {
  expect(stopwatch(duration)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [4300, '4.2 kB'],
  [20_480, '20 kB'],
  [1_400_000_000, '1.3 GB'],
])('%d bytes are shown as %s', (size, words) => {
  expect(sizeWords(size)).toBe(words);
});
