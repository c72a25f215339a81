import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf } from './target-end.ts';

export const noncanonicalInSitemap: SiteRule = {
  id: 'noncanonical-in-sitemap',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Page in the sitemap that names another address as canonical',
  why: 'A sitemap is to name the addresses that are to be listed, and the page says that another one is: search engines have to guess.',
  fix: 'Name the canonical address in the sitemap, or correct the canonical link of the page.',
  source: {
    name: 'Google Search Central: consolidate duplicate URLs',
    url: 'https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls',
  },
  *checkSite(site) {
    for (const [url, sitemap] of site.sitemapEntries) {
      const page = site.page(url);
      const [canonical, ...others] = new Set(page?.canonicals.map((each) => each.url));
      // conflicting-canonicals and canonical-elsewhere report those
      if (page?.judged !== true || others.length > 0 || canonical == null || !site.isOwn(canonical)) continue;
      // a canonical address that leads back here or to nothing is a fault of its own
      const { end, chain } = endOf(site, canonical);
      if (chain.includes(url) || (end !== null && end.outcome !== 'captured')) continue;
      yield {
        url,
        target: canonical,
        message: `The sitemap names the page, whose canonical address is ${canonical}`,
        evidence: { request: `GET ${sitemap}` },
      };
    }
  },
};
