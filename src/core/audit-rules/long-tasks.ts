import type { PageRule } from '../../model/audit-rule.ts';
import { paintSeverity } from './paint-severity.ts';

export const longTasks: PageRule = {
  id: 'long-tasks',
  severity: 'warning',
  category: 'weight',
  about: 'layout',
  needsMeasurements: true,
  title: 'Page that does not answer while it loads',
  why: 'Scripts keep the page so busy that taps and keys wait; up to 200 ms of blocking in all counts as good, beyond 600 ms as poor.',
  fix: 'Send less script, put off what is not needed at once, and divide long work.',
  source: { name: 'web.dev: Total Blocking Time', url: 'https://web.dev/articles/tbt' },
  *checkPage({ paint }) {
    const median = paint?.median ?? null;
    const severity = median === null ? null : paintSeverity('tbt', median.tbt);
    if (paint === null || median === null || severity === null) return;
    yield {
      severity,
      confidence: 'medium',
      message: `Long tasks block the page for ${Math.round(median.tbt)} ms in all (median of ${paint.loads.length} loads)`,
    };
  },
};
