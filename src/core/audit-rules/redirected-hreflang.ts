import type { SiteRule } from '../../model/audit-rule.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';
import { endOf, isGone, isUnsure } from './target-end.ts';

export const redirectedHreflang: SiteRule = {
  id: 'redirected-hreflang',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Alternate page that redirects',
  why: 'An alternate is to name the address that is to be listed: search engines ignore one that leads elsewhere.',
  fix: 'Name the address that it redirects to, if that is the translation; else remove the alternate.',
  source: LOCALIZED_VERSIONS,
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      for (const { code, url } of page.alternates) {
        // a start page that sends readers to their language is what x-default is for
        if (url === null || code.toLowerCase() === 'x-default') continue;
        const { end, chain, loops } = endOf(site, url);
        // broken-hreflang reports what leads to nothing
        if (chain.length < 2 || loops || (end !== null && (isGone(end, site) || isUnsure(end)))) continue;
        const last = chain.at(-1) ?? url;
        yield {
          url: page.url,
          target: url,
          thing: `${code} ${url}`,
          message: `The alternate for ${code}, ${url}, redirects to ${last === page.url ? 'this page' : last}`,
          evidence: { chain },
        };
      }
    }
  },
};
