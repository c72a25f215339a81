import type { SiteRule } from '../../model/audit-rule.ts';
import { withoutDuplicates } from './duplicate-pages.ts';
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
  *checkSite(site) {
    for (const [title, same] of pagesBy(site.pages, (page) => page.title)) {
      const own = withoutDuplicates(same, site);
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
