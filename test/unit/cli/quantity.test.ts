import { expect, test } from 'vitest';
import { sizeWords } from '../../../src/base/size-words.ts';
import { durationWords, stopwatch } from '../../../src/cli/terminal/quantity.ts';

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
