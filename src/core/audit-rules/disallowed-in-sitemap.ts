import type { SiteRule } from '../../model/audit-rule.ts';

export const disallowedInSitemap: SiteRule = {
  id: 'disallowed-in-sitemap',
  severity: 'warning',
  category: 'documents',
  about: 'target',
  title: 'Address in the sitemap that robots may not read',
  why: 'A sitemap asks search engines to read what it names, and robots.txt keeps them from it.',
  fix: 'Take the address out of the sitemap, or allow it in robots.txt.',
  source: { name: 'RFC 9309: Robots Exclusion Protocol', url: 'https://www.rfc-editor.org/rfc/rfc9309.html' },
  *checkSite(site) {
    for (const [address, sitemap] of site.sitemapEntries) {
      if (!site.isDisallowed(address)) continue;
      yield {
        url: sitemap,
        target: address,
        message: `The sitemap names ${address}, which robots.txt forbids`,
      };
    }
  },
};
