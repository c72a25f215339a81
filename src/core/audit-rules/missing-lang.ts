import type { PageRule } from '../../model/audit-rule.ts';

export const missingLang: PageRule = {
  id: 'missing-lang',
  severity: 'warning',
  category: 'documents',
  about: 'layout',
  title: 'Page that does not say its language',
  why: 'Screen readers pronounce it in the language of their user, and browsers guess whether to translate it.',
  fix: 'Give the html element a lang attribute.',
  source: {
    name: 'WCAG 2.2, success criterion 3.1.1: Language of Page',
    url: 'https://www.w3.org/TR/WCAG22/#language-of-page',
  },
  *checkPage({ lang }) {
    if ((lang ?? '').trim() === '')
      yield { message: 'The html element has no lang attribute', evidence: { selector: 'html' } };
  },
};
