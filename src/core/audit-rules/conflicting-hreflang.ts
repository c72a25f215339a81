import type { SiteRule } from '../../model/audit-rule.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';

export const conflictingHreflang: SiteRule = {
  id: 'conflicting-hreflang',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Page with several alternates for the same language',
  why: 'Search engines cannot tell which of them is meant for the readers of that language.',
  fix: 'Name one address for each language; give those of different regions their regions (en-GB, en-US).',
  source: LOCALIZED_VERSIONS,
  *checkSite({ pages }) {
    for (const { url, judged, alternates } of pages) {
      if (judged !== true) continue;
      const named = new Map<string, Set<string>>();
      for (const { code, url: alternate } of alternates) {
        if (alternate === null) continue;
        const key = code.toLowerCase();
        named.set(key, (named.get(key) ?? new Set()).add(alternate));
      }
      for (const [code, addresses] of named) {
        if (addresses.size < 2) continue;
        yield {
          url,
          thing: code,
          message: `The page names ${addresses.size} alternates for ${code}`,
          evidence: { others: [...addresses] },
        };
      }
    }
  },
};
