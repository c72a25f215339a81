import type { PageRule } from '../../model/audit-rule.ts';

export const missingTitle: PageRule = {
  id: 'missing-title',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Page without a title',
  why: 'Tabs, bookmarks, search results and screen readers name the page by its title.',
  fix: 'Give the page a title element that says what it is about.',
  source: { name: 'WCAG 2.2, success criterion 2.4.2: Page Titled', url: 'https://www.w3.org/TR/WCAG22/#page-titled' },
  *checkPage({ title }) {
    if (title === '') yield { message: 'The page has no title, or an empty one' };
  },
};
