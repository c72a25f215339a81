import { describe, expect, it } from 'vitest';
import { paintSeverity } from '../../../../src/core/audit-rules/paint-severity.ts';
import { measuredPages } from '../../../../src/core/paint/measured-pages.ts';
import { medianPaint, paintMetrics } from '../../../../src/core/paint/paint-metrics.ts';
import type { PaintMetrics, RawPaint } from '../../../../src/model/paint.ts';

const raw = (parts: Partial<RawPaint>): RawPaint => ({
  ...{ url: 'https://example.org/', firstPaint: 100, largestPaint: 200, largest: '', moved: '', shifts: [], tasks: [] },
  ...parts,
});
const metrics = (parts: Partial<PaintMetrics>): PaintMetrics => ({
  ...{ fcp: 1, lcp: 1, cls: 0, tbt: 0, longTasks: 0, ...parts },
});

describe('the figures of a load', () => {
  it.each([
    ['nothing', [], 0],
    ['what follows within a second', [0, 900], 0.2],
    ['the largest of two windows', [0, 900, 2000], 0.2],
    ['no more than five seconds', [0, 900, 1800, 2700, 3600, 4500, 5400], 0.6],
    ['shifts in any order', [900, 0], 0.2],
  ] as const)('have as layout shift the sum of %s', (_what, moments, cls) => {
    expect(paintMetrics(raw({ shifts: moments.map((at) => ({ at, value: 0.1 })) })).cls).toBe(cls);
  });

  it('have as blocking time what tasks take beyond 50 ms each, after the first paint', () => {
    const tasks = [
      { at: 0, duration: 90 }, // before the first paint
      { at: 60, duration: 140 }, // 100 ms after the first paint: counts 50
      { at: 300, duration: 50 },
      { at: 400, duration: 250 }, // counts 200
    ];
    expect(paintMetrics(raw({ tasks }))).toMatchObject({ tbt: 250, longTasks: 4, fcp: 100, lcp: 200 });
  });
});

describe('the median of loads', () => {
  it('is taken of each figure by itself', () => {
    const loads = [metrics({ lcp: 900, cls: 0.2 }), metrics({ lcp: 100, cls: 0.3 }), metrics({ lcp: 300, cls: 0.1 })];
    expect(medianPaint(loads)).toMatchObject({ lcp: 300, cls: 0.2 });
  });

  it('is one that was measured where one load failed, and none of a single load', () => {
    expect(medianPaint([metrics({ lcp: 100 }), metrics({ lcp: 400 })])).toMatchObject({ lcp: 400 });
    expect(medianPaint([metrics({})])).toBeNull();
  });

  it('leaves out loads in which nothing was painted', () => {
    expect(medianPaint([metrics({ lcp: null }), metrics({ lcp: null }), metrics({ lcp: 7 })])?.lcp).toBe(7);
    expect(medianPaint([metrics({ lcp: null }), metrics({ lcp: null })])?.lcp).toBeNull();
  });
});

describe('a figure', () => {
  it.each([
    ['lcp', 2500, null],
    ['lcp', 2501, 'notice'],
    ['lcp', 4000, 'notice'],
    ['lcp', 4001, 'warning'],
    ['cls', 0.1, null],
    ['cls', 0.101, 'notice'],
    ['cls', 0.25, 'notice'],
    ['cls', 0.251, 'warning'],
    ['tbt', 200, null],
    ['tbt', 201, 'notice'],
    ['tbt', 600, 'notice'],
    ['tbt', 601, 'warning'],
  ] as const)('%s of %d is %s', (name, value, severity) => {
    expect(paintSeverity(name, value)).toBe(severity);
  });
});

describe('the pages that are measured', () => {
  it('are the first of each template, largest templates first', () => {
    const page = (url: string, depth: number, template: string) => ({ url, finalUrl: `${url}#`, depth, template });
    const all = [page('/b', 2, 'x'), page('/', 0, 'home'), page('/c', 1, 'x'), page('/a', 1, 'x'), page('/z', 3, 'y')];
    expect(measuredPages(all, 10)).toEqual({
      pages: [
        { url: '/a', finalUrl: '/a#', alike: 3 },
        { url: '/', finalUrl: '/#', alike: 1 },
        { url: '/z', finalUrl: '/z#', alike: 1 },
      ],
      left: 0,
    });
    expect(measuredPages(all, 1)).toEqual({ pages: [{ url: '/a', finalUrl: '/a#', alike: 3 }], left: 2 });
  });
});
