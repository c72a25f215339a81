import type { PageRule } from '../../model/audit-rule.ts';
import { hidingDirective } from './hiding-directive.ts';

export const missingDescription: PageRule = {
  id: 'missing-description',
  severity: 'notice',
  category: 'documents',
  about: 'page',
  title: 'Page without a description',
  why: 'Search engines and previews show pieces of the text instead, which they choose.',
  fix: 'Give the page a meta element of the name description with one or two sentences of its own.',
  source: {
    name: 'Google Search Central: control your snippets',
    url: 'https://developers.google.com/search/docs/appearance/snippet',
  },
  *checkPage({ description, robots }) {
    if (hidingDirective(robots) !== null) return;
    if ((description ?? '') === '') yield { message: 'The page has no description' };
  },
};
