import type { SiteRule } from '../../model/audit-rule.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';
import { endOf, failureWords, isGone } from './target-end.ts';

export const brokenHreflang: SiteRule = {
  id: 'broken-hreflang',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Alternate page that does not exist',
  why: 'Readers of that language are sent to an error page, and search engines ignore the whole group.',
  fix: 'Name the address of the translation, or remove the alternate.',
  source: LOCALIZED_VERSIONS,
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      for (const { code, url } of page.alternates) {
        if (url === null) continue;
        const { end, chain, loops } = endOf(site, url);
        if (end === null || (!loops && !isGone(end, site))) continue;
        yield {
          url: page.url,
          target: url,
          thing: `${code} ${url}`,
          message: `The alternate for ${code} is ${url}, which ${loops ? 'is redirected in a circle' : failureWords(end, chain)}`,
          evidence: {
            request: `GET ${end.url} ${end.status ?? end.outcome}`,
            ...(chain.length > 1 ? { chain } : {}),
          },
        };
      }
    }
  },
};
