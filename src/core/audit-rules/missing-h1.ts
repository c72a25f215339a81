import type { PageRule } from '../../model/audit-rule.ts';

export const missingH1: PageRule = {
  id: 'missing-h1',
  severity: 'notice',
  category: 'documents',
  about: 'page',
  title: 'Page without a heading of the first level',
  why: 'Readers who go from heading to heading do not find where the content begins.',
  fix: 'Make the headline of the page an h1 element.',
  source: {
    name: 'HTML Standard, headings and outlines',
    url: 'https://html.spec.whatwg.org/multipage/sections.html#headings-and-outlines',
  },
  *checkPage({ h1 }) {
    if (h1.length === 0) yield { message: 'The page has no h1 element with text' };
  },
};
