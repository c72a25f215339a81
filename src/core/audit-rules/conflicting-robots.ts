import type { PageRule } from '../../model/audit-rule.ts';

const PAIRS = [
  ['index', 'noindex'],
  ['follow', 'nofollow'],
  ['all', 'noindex'],
  ['all', 'nofollow'],
  ['all', 'none'],
  ['index', 'none'],
  ['follow', 'none'],
] as const;

export const conflictingRobots: PageRule = {
  id: 'conflicting-robots',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Directives for robots that contradict each other',
  why: 'Robots obey the stricter one, so that the page may be hidden by mistake.',
  fix: 'Keep one of the two; look for them in the markup and in the X-Robots-Tag header.',
  source: {
    name: 'Google Search Central: robots meta tag',
    url: 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag',
  },
  *checkPage({ robots }) {
    const found = PAIRS.find(([one, other]) => robots.includes(one) && robots.includes(other));
    if (found !== undefined)
      yield { message: `The page says both ${found.join(' and ')}`, evidence: { snippet: robots.join(', ') } };
  },
};
