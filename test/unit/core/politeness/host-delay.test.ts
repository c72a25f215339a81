import { describe, expect, it } from 'vitest';
import { seconds } from '../../../../src/base/units.ts';
import { hostDelay } from '../../../../src/core/politeness/host-delay.ts';

describe('hostDelay', () => {
  it.each([
    // configured, Crawl-delay, maximum, delay, cut
    [1, null, 30, 1, false],
    [1, 0, 30, 1, false],
    [1, 0.5, 30, 1, false],
    [1, 10, 30, 10, false],
    [0, 10, 30, 10, false],
    [1, 30, 30, 30, false],
    [1, 31, 30, 30, true],
    [60, 45, 30, 60, false],
    [60, 90, 30, 60, true],
    [0, 10, 0, 0, true],
  ])('of %d s configured and a Crawl-delay of %s s, at most %d s, makes %d s (cut: %s)', (...row) => {
    const [configured, crawlDelay, maxCrawlDelay, delay, cut] = row;
    const result = hostDelay({
      configured: seconds(configured),
      crawlDelay: crawlDelay === null ? null : seconds(crawlDelay),
      maxCrawlDelay: seconds(maxCrawlDelay),
    });
    expect(result).toEqual({ delay: seconds(delay), cut });
  });
});
