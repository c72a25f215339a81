import { expect, test } from 'vitest';
import { epochMs } from '../../../../src/base/units.ts';
import { lastModified } from '../../../../src/core/answers/last-modified.ts';

const NOW = epochMs(Date.UTC(2026, 0, 2, 3, 4, 5, 678));

test.each([
  ['Thu, 01 Jan 2026 03:04:05 GMT', '2026-01-01T03:04:05Z'],
  ['Fri, 02 Jan 2026 03:04:04 GMT', '2026-01-02T03:04:04Z'],
  ['Fri, 02 Jan 2026 03:04:05 GMT', null],
  ['Sat, 02 Jan 2100 03:04:05 GMT', null],
  ['Thu, 99 Jan 2026 03:04:05 GMT', null],
  ['2026-01-01', null],
  ['yesterday', null],
])('a Last-Modified of %s says that the page was changed at %s', (value, changed) => {
  expect(lastModified([['last-modified', value]], NOW)).toBe(changed);
});

test('without a Last-Modified it is not known when a page was changed', () => {
  expect(lastModified([['date', 'Thu, 01 Jan 2026 03:04:05 GMT']], NOW)).toBeNull();
});
