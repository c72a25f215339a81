import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf, isUnsure } from './target-end.ts';

export const sitemapEntryRedirects: SiteRule = {
  id: 'sitemap-entry-redirects',
  severity: 'warning',
  category: 'documents',
  about: 'target',
  title: 'Address in the sitemap that redirects',
  why: 'A sitemap is to name the addresses that are to be listed, and this one is not.',
  fix: 'Name the address that it redirects to.',
  source: { name: 'Sitemaps XML format', url: 'https://www.sitemaps.org/protocol.html' },
  *checkSite(site) {
    for (const [address, sitemap] of site.sitemapEntries) {
      const { end, chain, loops } = endOf(site, address);
      // sitemap-entry-failed reports redirects that lead to nothing; the end may be an address that the crawl did not visit
      if (chain.length < 2 || loops || (end !== null && isUnsure(end))) continue;
      yield {
        url: sitemap,
        target: address,
        message: `The sitemap names ${address}, which redirects to ${chain.at(-1) ?? address}`,
        evidence: { chain },
      };
    }
  },
};
