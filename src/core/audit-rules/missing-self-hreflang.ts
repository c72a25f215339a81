import type { SiteRule } from '../../model/audit-rule.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';
import { endOf } from './target-end.ts';

export const missingSelfHreflang: SiteRule = {
  id: 'missing-self-hreflang',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Page that its own alternates leave out',
  why: 'Each version of a page is to list itself among all versions: search engines read the set of the page that they see.',
  fix: 'Give all versions the same set of alternates, the page itself among them.',
  source: LOCALIZED_VERSIONS,
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      const named = page.alternates.flatMap(({ url }) => url ?? []);
      const [first] = named;
      // a page that leaves its place to another one has that one's set
      const isListed = page.canonicals.every(({ url }) => url === null || url === page.url);
      if (first === undefined || !isListed) continue;
      const own = [...named, ...page.confirmed].some((url) => (endOf(site, url).chain.at(-1) ?? url) === page.url);
      if (own || site.isSitemapAlternate(page.url)) continue;
      const others = named.length === 1 ? '' : ` and ${named.length - 1} more`;
      yield {
        url: page.url,
        message: `The alternates are ${first}${others}, and not the page itself`,
      };
    }
  },
};
