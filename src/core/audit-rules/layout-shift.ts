import type { PageRule } from '../../model/audit-rule.ts';
import { paintSeverity } from './paint-severity.ts';

export const layoutShift: PageRule = {
  id: 'layout-shift',
  severity: 'warning',
  category: 'weight',
  about: 'layout',
  needsMeasurements: true,
  title: 'Page whose content moves while it is read',
  why: 'What somebody reads or is about to tap jumps away; a shift up to 0.1 counts as good, beyond 0.25 as poor.',
  fix: 'Reserve the place of pictures, frames and what scripts bring: width and height, aspect-ratio, min-height.',
  source: { name: 'web.dev: Cumulative Layout Shift', url: 'https://web.dev/articles/cls' },
  *checkPage({ paint }) {
    const cls = paint?.median?.cls ?? 0;
    const severity = paintSeverity('cls', cls);
    if (paint === null || severity === null) return;
    yield {
      severity,
      // it hardly depends on the machine
      confidence: 'high',
      message: `The cumulative layout shift is ${cls.toFixed(2)} (median of ${paint.loads.length} loads)`,
      ...(paint.moved === '' ? {} : { evidence: { snippet: paint.moved } }),
    };
  },
};
