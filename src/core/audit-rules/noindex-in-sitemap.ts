import type { SiteRule } from '../../model/audit-rule.ts';
import { hidingDirective, hidingWords } from './hiding-directive.ts';

export const noindexInSitemap: SiteRule = {
  id: 'noindex-in-sitemap',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Page in the sitemap that wants not to be listed',
  why: 'A sitemap asks search engines to list what it names, and the page asks for the opposite.',
  fix: 'Take the page out of the sitemap, or remove noindex.',
  source: { name: 'Sitemaps XML format', url: 'https://www.sitemaps.org/protocol.html' },
  *checkSite(site) {
    for (const [url, sitemap] of site.sitemapEntries) {
      const page = site.page(url);
      const hiding = page?.judged === true ? hidingDirective(page.robots) : null;
      if (hiding === null || !page) continue;
      yield {
        url,
        message: `The sitemap names the page, which says ${hidingWords(hiding)}`,
        evidence: { snippet: page.robots.join(', '), request: `GET ${sitemap}` },
      };
    }
  },
};
