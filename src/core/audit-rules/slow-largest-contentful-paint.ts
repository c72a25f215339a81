import type { PageRule } from '../../model/audit-rule.ts';
import { paintSeverity } from './paint-severity.ts';

export const slowLargestContentfulPaint: PageRule = {
  id: 'slow-largest-contentful-paint',
  severity: 'warning',
  category: 'weight',
  about: 'layout',
  needsMeasurements: true,
  title: 'Page whose main content appears late',
  why: 'Readers see no main content for so long; up to 2.5 s counts as good, beyond 4 s as poor.',
  fix: 'Send what is painted largest early: preload it, make it smaller, and keep scripts and sheets from holding it up.',
  source: { name: 'web.dev: Largest Contentful Paint', url: 'https://web.dev/articles/lcp' },
  *checkPage({ paint }) {
    const lcp = paint?.median?.lcp ?? null;
    const severity = lcp === null ? null : paintSeverity('lcp', lcp);
    if (paint === null || lcp === null || severity === null) return;
    yield {
      severity,
      confidence: 'medium',
      message: `The largest contentful paint comes after ${(lcp / 1000).toFixed(1)} s (median of ${paint.loads.length} loads)`,
      ...(paint.largest === '' ? {} : { evidence: { snippet: paint.largest } }),
    };
  },
};
