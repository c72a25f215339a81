import type { PageRule } from '../../model/audit-rule.ts';

/** Milliseconds. */
const POOR = 1800;

export const slowFirstByte: PageRule = {
  id: 'slow-first-byte',
  severity: 'warning',
  category: 'weight',
  about: 'layout',
  needsServer: true,
  title: 'Page whose server answers slowly',
  why: 'Nothing can be shown before the first byte is there; above 1.8 s it counts as poor.',
  fix: 'Cache the page, or find what its server waits for.',
  source: { name: 'web.dev: Time to First Byte', url: 'https://web.dev/articles/ttfb' },
  *checkPage({ ttfb, isFromServer }) {
    if (ttfb === null || ttfb <= POOR || !isFromServer) return;
    // measured in one visit, while others of the crawl ran
    yield { confidence: 'medium', message: `The first byte came after ${(ttfb / 1000).toFixed(1)} s` };
  },
};
