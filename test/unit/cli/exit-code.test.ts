import { expect, test } from 'vitest';
import { CrawlError, ERROR_CODES, type ErrorCode } from '../../../src/base/errors.ts';
import { EXIT_CODES, exitCodeOfEnd, exitCodeOfError } from '../../../src/cli/exit-code.ts';
import type { CrawlEnd } from '../../../src/crawl/crawl.ts';

test.each<[CrawlEnd, number]>([
  ['all-visited', 0],
  ['page-limit', 0],
  ['time-limit', 0],
  ['size-limit', 0],
  ['seeds-failed', 3],
  ['hosts-given-up', 3],
  ['broken', 3],
  ['signed-out', 4],
])('a crawl whose end is %s exits with %i, also where a signal came late', (end, code) => {
  expect(exitCodeOfEnd(end, null)).toBe(code);
  expect(exitCodeOfEnd(end, 'SIGINT')).toBe(code);
});

test('an interrupted crawl exits with 128 and the number of the signal', () => {
  expect(exitCodeOfEnd('interrupted', 'SIGINT')).toBe(130);
  expect(exitCodeOfEnd('interrupted', 'SIGTERM')).toBe(143);
  expect(exitCodeOfEnd('interrupted', 'SIGHUP')).toBe(129);
  expect(exitCodeOfEnd('interrupted', null)).toBe(130);
});

test('every error code has an exit code of the table: 3 for a full disk, a storage that fails, a damaged archive and a log-in that fails, else "could not start"', () => {
  const codes = Object.keys(ERROR_CODES).map((code) => [code, exitCodeOfError(new CrawlError(code as ErrorCode, 'x'))]);
  expect(codes.filter(([, exit]) => exit !== 2)).toEqual([
    ['ARCHIVE_DAMAGED', 3],
    ['LOGIN_FAILED', 3],
    ['STORAGE_FAILED', 3],
    ['DISK_FULL', 3],
  ]);
  expect(Object.keys(EXIT_CODES)).toEqual(['0', '1', '2', '3', '4', '129', '130', '143']);
});

test('a fault of the program itself is 3', () => {
  expect(exitCodeOfError(new TypeError('x'))).toBe(3);
  expect(exitCodeOfError('x')).toBe(3);
});
