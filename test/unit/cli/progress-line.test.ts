import { describe, expect, test } from 'vitest';
import { COLOURED, PLAIN } from '../../../src/cli/terminal/paint.ts';
import { counted, grouped } from '../../../src/base/count-words.ts';
import { progressLine } from '../../../src/cli/text/progress-line.ts';
import { safeText } from '../../../src/cli/terminal/safe-text.ts';
import type { HostWait } from '../../../src/crawl/crawl.ts';
import { progressOf } from './fake-crawl.ts';

const full = progressOf({
  totals: { discovered: 3000, visited: 1628, failed: 3, skipped: 40, queued: 1234 },
  timeLeft: 480_000,
  slowestHost: { host: 'https://docs.example.org', queued: 231, delay: 1000 },
});

describe('the progress line', () => {
  test.each([
    [
      200,
      '1:05  1,628 pages  1,234 queued  3 failed  4.2/s  8 min left  slowest docs.example.org (231 queued, one each 1 s)',
    ],
    [80, '1:05  1,628 pages  1,234 queued  3 failed  4.2/s  8 min left'],
    [50, '1:05  1,628 pages  1,234 queued  3 failed  4.2/s'],
    [45, '1:05  1,628 pages  1,234 queued  3 failed'],
    [39, '1,628 pages  1,234 queued  3 failed'],
    [30, '1,628 pages  1,234 queued'],
    [20, '1,628 pages'],
    [8, '1,628 p…'],
    [1, '…'],
  ])('fits into %i columns, the least telling parts left out', (width, expected) => {
    expect(progressLine(full, width, PLAIN)).toBe(expected);
  });

  test('is never longer than the width, colours not counted', () => {
    for (let width = 1; width < 160; width += 1) {
      expect(progressLine(full, width, PLAIN).length).toBeLessThanOrEqual(width);
      expect(safeText(progressLine(full, width, COLOURED))).toBe(progressLine(full, width, PLAIN));
    }
  });

  test('says nothing of failures, limits and hosts where there are none', () => {
    expect(progressLine(progressOf(), 200, PLAIN)).toBe('1:05  128 pages  32 queued  4.2/s');
  });

  test('says that Redis does not answer in place of a pace that is none, also where there is little room', () => {
    const silent = { ...full, redisSilence: 72_000 };
    expect(progressLine(silent, 200, PLAIN)).toBe(
      '1:05  1,628 pages  1,234 queued  3 failed  Redis has not answered for 1 min 12 s',
    );
    expect(progressLine(silent, 60, PLAIN)).toBe('1,628 pages  Redis has not answered for 1 min 12 s');
  });

  test('says that it is stopping, and what is waited for', () => {
    expect(progressLine({ ...full, stopping: true, visiting: 3 }, 200, PLAIN)).toBe(
      '1:05  1,628 pages  stopping, 3 in flight  1,234 queued  3 failed  4.2/s',
    );
    expect(progressLine({ ...full, stopping: true, visiting: 3 }, 40, PLAIN)).toContain('stopping');
  });

  test('names the host that asked to wait, until when and why, and how many others there are', () => {
    const until = new Date(2026, 10, 22, 14, 5).getTime();
    const waiting = { host: 'https://example.org', until, left: 600_000, why: 'Retry-After, 503' };
    const line = (...hostsWaiting: readonly HostWait[]) => progressLine(progressOf({ hostsWaiting }), 200, PLAIN);
    expect(line(waiting)).toContain('  waiting for example.org until 14:05 (Retry-After, 503)');
    expect(line(waiting, waiting, waiting)).toContain('(Retry-After, 503) and 2 more');
    expect(line({ ...waiting, left: 13 * 3_600_000 })).toContain('example.org until 2026-11-22 14:05 (');
    const evil = { ...waiting, host: `http://\u001b[2J${'x'.repeat(300)}` };
    expect(line(evil)).toContain(`waiting for ${'x'.repeat(39)}… until`);
  });

  test('shows a hostile host name harmlessly and cut', () => {
    const host = `http://\u001b[2J${'x'.repeat(300)}\u202e`;
    const line = progressLine(progressOf({ slowestHost: { host, queued: 1, delay: 0 } }), 200, PLAIN);
    expect(line).toContain(`slowest ${'x'.repeat(39)}… (1 queued)`);
  });

  test.each([
    [0, '0.0/s'],
    [0.04, '0.0/s'],
    [9.94, '9.9/s'],
    [12.6, '13/s'],
  ])('shows %d pages a second as %s', (pagesPerSecond, text) => {
    expect(progressLine(progressOf({ pagesPerSecond }), 200, PLAIN)).toContain(text);
  });
});

test('counts are set apart by thousands and agree with their noun', () => {
  expect([0, 1, 999, 1000, 1_234_567].map(grouped)).toEqual(['0', '1', '999', '1,000', '1,234,567']);
  expect([counted(1, 'page'), counted(2, 'page')]).toEqual(['1 page', '2 pages']);
});
