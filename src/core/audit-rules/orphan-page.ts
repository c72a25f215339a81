import type { SiteFacts } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';

export const orphanPage: SiteRule = {
  id: 'orphan-page',
  severity: 'warning',
  category: 'links',
  about: 'page',
  needsWholeCrawl: true,
  title: 'Page in the sitemap that no page links to',
  why: 'Readers cannot come to it by way of the site, and search engines take it for unimportant.',
  fix: 'Link to it where it belongs, or take it out of the sitemap if it is not meant to be found.',
  source: {
    name: 'Google Search Central: links that can be crawled',
    url: 'https://developers.google.com/search/docs/crawling-indexing/links-crawlable',
  },
  *checkSite(site) {
    const named = canonicalOfLinked(site);
    for (const { url, sitemap } of site.orphans) {
      if (site.target(url)?.outcome !== 'captured' || site.page(url)?.judged !== true) continue;
      if (named.has(url)) continue;
      yield {
        url,
        message: 'The sitemap names the page, and no page links to it',
        evidence: { request: `GET ${sitemap}` },
      };
    }
  },
};

/**
 * Addresses that pages name as canonical which links lead to. Readers come to `/boat` by `/summer/boat`, and search engines count links
 * to the one for the other.
 */
function canonicalOfLinked({ pages, clicks }: Pick<SiteFacts, 'pages' | 'clicks'>): ReadonlySet<string | null> {
  const linked = pages.filter(({ url, judged }) => judged === true && clicks.has(url));
  return new Set(linked.flatMap(({ canonicals }) => canonicals.map(({ url }) => url)));
}
