import type { PageSummary, SiteFacts } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';
import { hidingDirective, hidingWords } from './hiding-directive.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';
import { endOf } from './target-end.ts';

export const unlistedHreflang: SiteRule = {
  id: 'unlisted-hreflang',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Alternate page that cannot be listed',
  why: 'It keeps search engines out, or leaves its place to another address: they cannot show it to readers of its language.',
  fix: 'Let the translation be listed by its own address, or name the address that is listed in its place.',
  source: LOCALIZED_VERSIONS,
  *checkSite(site) {
    for (const page of site.pages) {
      // a page that is not listed itself has no alternates that count
      if (page.judged !== true || hidingDirective(page.robots) !== null || placeOf(site, page) !== null) continue;
      for (const { code, url } of page.alternates) {
        if (url === null || url === page.url) continue;
        const why = unlistedWords(site, url, page.url);
        if (why === null) continue;
        yield {
          url: page.url,
          target: url,
          thing: `${code} ${url}`,
          message: `The alternate for ${code}, ${url}, ${why}`,
        };
      }
    }
  },
};

/** Why search engines do not list the address; null where nothing says so. @param from the page that names it */
function unlistedWords(site: SiteFacts, url: string, from: string): string | null {
  if (site.isDisallowed(url)) return 'is forbidden by robots.txt';
  const other = site.page(url);
  if (other?.judged !== true) return null;
  const hiding = hidingDirective(other.robots);
  if (hiding !== null) return `says ${hidingWords(hiding)}`;
  const place = placeOf(site, other);
  return place === null ? null : `names ${place === from ? 'this page' : place} as canonical`;
}

/** The address to which the page leaves its place; null where it keeps it, or the place is unclear. */
function placeOf(site: SiteFacts, { url, canonicals }: PageSummary): string | null {
  const [canonical, ...more] = canonicals.map((each) => each.url);
  // conflicting-canonicals reports several, broken-canonical what is no address, chained-canonical a detour to the page itself
  if (canonical == null || more.length > 0 || endOf(site, canonical).chain.includes(url)) return null;
  return canonical;
}
