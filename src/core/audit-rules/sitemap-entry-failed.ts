import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf, failureWords, isGone, isUnsure } from './target-end.ts';

export const sitemapEntryFailed: SiteRule = {
  id: 'sitemap-entry-failed',
  severity: 'error',
  category: 'documents',
  about: 'target',
  title: 'Address in the sitemap that is no page',
  why: 'Search engines trust a sitemap less with every wrong address in it.',
  fix: 'Take the address out of the sitemap, or bring the page back.',
  source: { name: 'Sitemaps XML format', url: 'https://www.sitemaps.org/protocol.html' },
  *checkSite(site) {
    for (const [address, sitemap] of site.sitemapEntries) {
      const { end, chain, loops } = endOf(site, address);
      if (loops) {
        yield {
          url: sitemap,
          target: address,
          // a site that sets a cookie and comes back may do so to a crawler alone
          confidence: 'medium',
          message: `The sitemap names ${address}, which is redirected in a circle`,
          evidence: { chain },
        };
        continue;
      }
      if (end === null || (!isGone(end, site) && !isUnsure(end))) continue;
      yield {
        url: sitemap,
        target: address,
        message: `The sitemap names ${address}, which ${failureWords(end, chain)}`,
        evidence: {
          request: `GET ${end.url} ${end.status ?? end.outcome}`,
          ...(chain.length > 1 ? { chain } : {}),
        },
        ...(isGone(end, site) ? {} : { severity: 'warning' as const, confidence: 'low' as const }),
      };
    }
  },
};
