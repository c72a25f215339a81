import type { SiteRule } from '../../model/audit-rule.ts';
import { withoutDuplicates } from './duplicate-pages.ts';
import { pagesBy, referrersOf } from './indexable.ts';

export const duplicateDescription: SiteRule = {
  id: 'duplicate-description',
  severity: 'notice',
  category: 'documents',
  about: 'site',
  title: 'Several pages with the same description',
  why: 'A description that stands on many pages says of none of them what it is about.',
  fix: 'Write a description for each page, or leave it out where there is nothing particular to say.',
  source: {
    name: 'Google Search Central: control your snippets',
    url: 'https://developers.google.com/search/docs/appearance/snippet',
  },
  *checkSite(site) {
    for (const [description, same] of pagesBy(site.pages, (page) => page.description ?? '')) {
      const own = withoutDuplicates(same, site);
      const [first, second] = own;
      if (first === undefined || second === undefined) continue;
      yield {
        url: first.url,
        thing: description,
        sources: referrersOf(own),
        message: `${own.length} pages have the description ${JSON.stringify(description.slice(0, 100))}`,
        evidence: { others: own.slice(1, 6).map(({ url }) => url) },
      };
    }
  },
};
