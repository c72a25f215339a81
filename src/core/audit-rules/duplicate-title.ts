import type { SiteRule } from '../../model/audit-rule.ts';
import { pagesBy, referrersOf } from './indexable.ts';

export const duplicateTitle: SiteRule = {
  id: 'duplicate-title',
  severity: 'warning',
  category: 'documents',
  about: 'site',
  title: 'Several pages with the same title',
  why: 'In tabs, histories and search results nobody can tell them apart.',
  fix: 'Say in each title what is particular to the page.',
  source: {
    name: 'Google Search Central: title links',
    url: 'https://developers.google.com/search/docs/appearance/title-link',
  },
  *checkSite({ pages }) {
    for (const [title, same] of pagesBy(pages, (page) => page.title)) {
      // pages with the same text are the finding of another rule
      const own = same.filter(({ duplicateOf }) => duplicateOf === null);
      const [first, second] = own;
      if (first === undefined || second === undefined) continue;
      yield {
        url: first.url,
        thing: title,
        sources: referrersOf(own),
        message: `${own.length} pages have the title ${JSON.stringify(title.slice(0, 100))}`,
        evidence: { others: own.slice(1, 6).map(({ url }) => url) },
      };
    }
  },
};
