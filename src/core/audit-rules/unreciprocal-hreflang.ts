import type { SiteRule } from '../../model/audit-rule.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';
import { endOf } from './target-end.ts';

export const unreciprocalHreflang: SiteRule = {
  id: 'unreciprocal-hreflang',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Alternate page that does not name this page in turn',
  why: 'Alternates count only in pairs: search engines ignore one that the other page does not confirm.',
  fix: 'Give the other page the same set of alternates.',
  source: LOCALIZED_VERSIONS,
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      // a page that leaves its place to another one shares that one's alternates
      const own = new Set<string | null>([page.url, ...page.canonicals.map((canonical) => canonical.url)]);
      for (const { code, url } of page.alternates) {
        const other = url === null || own.has(url) ? null : site.page(url);
        if (url === null || other === null || other.judged !== true) continue;
        const names = [...other.alternates.map((each) => each.url), ...other.confirmed];
        // redirected-hreflang reports a detour
        if (names.some((each) => each !== null && (own.has(each) || own.has(endOf(site, each).chain.at(-1) ?? each))))
          continue;
        // both are in a group of a sitemap, which confirms them as well as markup does
        if (site.isSitemapAlternate(url) && [...own].some((each) => each !== null && site.isSitemapAlternate(each)))
          continue;
        yield {
          url: page.url,
          target: url,
          thing: `${code} ${url}`,
          message: `The alternate for ${code}, ${url}, does not name this page as an alternate`,
        };
      }
    }
  },
};
