import type { MisplacedMetadata } from '../../model/audit-facts.ts';
import type { PageRule } from '../../model/audit-rule.ts';

const WORDS: Readonly<Record<MisplacedMetadata['kind'], string>> = {
  canonical: 'A canonical address',
  alternate: 'An alternate',
  robots: 'A directive for robots',
};

export const misplacedMetadata: PageRule = {
  id: 'misplaced-metadata',
  severity: 'error',
  category: 'documents',
  about: 'layout',
  title: 'Word to search engines outside of the head',
  why: 'Search engines ignore a canonical address and alternates in the body, and some ignore directives for robots there.',
  fix: 'Move the element into the head. If it stands there in the source, an element before it that no head may have, such as an image or a div, has ended the head.',
  source: {
    name: 'Google Search Central: valid page metadata',
    url: 'https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata',
  },
  *checkPage({ url, misplaced }) {
    for (const { kind, selector, snippet } of misplaced)
      yield {
        thing: WORDS[kind],
        message: `${WORDS[kind]} stands in the body of the page`,
        evidence: { selector, snippet },
        sources: { count: 1, first: [{ url, selector }] },
        ...(kind === 'robots' ? { severity: 'warning' as const } : {}), // the largest search engines obey it there, too
      };
  },
};
