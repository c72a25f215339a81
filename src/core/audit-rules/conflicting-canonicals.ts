import type { SiteRule } from '../../model/audit-rule.ts';

export const conflictingCanonicals: SiteRule = {
  id: 'conflicting-canonicals',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Page with several canonical addresses',
  why: 'Search engines ignore all of them where they differ.',
  fix: 'Keep one link element with rel=canonical; often a theme and a plug-in write one each.',
  source: {
    name: 'Google Search Central: consolidate duplicate URLs',
    url: 'https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls',
  },
  *checkSite({ pages }) {
    for (const { url, judged, canonicals } of pages) {
      const different = new Set(canonicals.map((each) => each.url ?? each.href));
      if (judged !== true || different.size < 2) continue;
      yield {
        url,
        message: `The page names ${different.size} canonical addresses`,
        evidence: { others: [...different] },
      };
    }
  },
};
