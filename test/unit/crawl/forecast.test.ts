import { describe, expect, test } from 'vitest';
import { durationForecast, pagesForecast, type Pace } from '../../../src/crawl/forecast/forecast.ts';

const sample = { visited: 10, failed: 0, cause: null, complete: false, known: 240, visitTime: 500, pageBytes: 1000 };
const sitemaps = { files: 1, named: 1200, pages: 1000, truncated: false };
const none = { files: 0, named: 0, pages: 0, truncated: false };

describe('the forecast of pages', () => {
  test('goes by sitemaps where they name more than links do', () => {
    expect(pagesForecast(sample, sitemaps, null)).toEqual({
      count: 1000,
      basis: 'sitemap',
      atLeast: true,
      limited: false,
      limitedBy: null,
    });
  });

  test('goes by the links of the sample otherwise', () => {
    expect(pagesForecast(sample, none, null)).toEqual({
      count: 240,
      basis: 'links',
      atLeast: true,
      limited: false,
      limitedBy: null,
    });
  });

  test('is exact where the sample was the whole site', () => {
    const whole = { ...sample, complete: true, known: 7 };
    expect(pagesForecast(whole, none, null)).toEqual({
      count: 7,
      basis: 'complete',
      atLeast: false,
      limited: false,
      limitedBy: null,
    });
  });

  test('goes by sitemaps, too, where no link of the sample leads to their pages', () => {
    const whole = { ...sample, complete: true, known: 7 };
    expect(pagesForecast(whole, sitemaps, null)).toMatchObject({ count: 1000, basis: 'sitemap', atLeast: true });
    const named = { ...sitemaps, pages: 6 };
    expect(pagesForecast(whole, named, null)).toMatchObject({ count: 7, basis: 'complete', atLeast: false });
  });

  test('is nothing where no page could be had, whatever sitemaps say', () => {
    const nothing = { ...sample, visited: 0, failed: 1, cause: 'connection refused' };
    expect(pagesForecast(nothing, sitemaps, null)).toEqual({
      count: 0,
      basis: 'nothing',
      atLeast: false,
      limited: false,
      limitedBy: null,
    });
  });

  test('ends at the limit', () => {
    expect(pagesForecast(sample, sitemaps, { by: 'limit', pages: 50 })).toMatchObject({
      count: 50,
      limited: true,
      limitedBy: 'limit',
      atLeast: false,
    });
    expect(pagesForecast(sample, sitemaps, { by: 'limit', pages: 5000 })).toMatchObject({
      count: 1000,
      limited: false,
      limitedBy: null,
    });
  });
});

describe('the forecast of the duration', () => {
  const pace: Pace = { visitTime: 500, workers: 4, hosts: [{ delay: 1000, slots: 1 }], spacing: 0, timeLimit: null };

  test('of one host is that of its pauses and visits, one behind the other', () => {
    expect(durationForecast(1000, pace)).toEqual({ time: 1_500_000, boundBy: 'delay' });
  });

  test("of a machine of one's own is that of the workers", () => {
    const hosts = [{ delay: 0, slots: 4 }];
    expect(durationForecast(1000, { ...pace, hosts })).toEqual({ time: 125_000, boundBy: 'workers' });
  });

  test('of several hosts is shared between them, as far as there are workers', () => {
    const hosts = Array.from({ length: 100 }, () => ({ delay: 1000, slots: 1 }));
    expect(durationForecast(1000, { ...pace, hosts })).toEqual({ time: 125_000, boundBy: 'workers' });
  });

  test('is longer where the rate limit asks for it, and no longer than the time limit', () => {
    expect(durationForecast(1000, { ...pace, spacing: 2000 })).toEqual({ time: 2_000_000, boundBy: 'rate-limit' });
    expect(durationForecast(1000, { ...pace, timeLimit: 60_000 })).toEqual({ time: 60_000, boundBy: 'time-limit' });
  });
});
