import type { PageSummary } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';
import { isNearDuplicate } from './duplicate-pages.ts';
import { referrersOf } from './indexable.ts';

export const nearDuplicate: SiteRule = {
  id: 'near-duplicate',
  severity: 'warning',
  category: 'documents',
  about: 'target',
  title: 'Pages with nearly the same text under several addresses',
  why: 'Search engines choose one of them, perhaps the wrong one, and readers cannot tell which is meant.',
  fix: 'Keep one page and redirect the others, or name the one as canonical in all of them.',
  source: {
    name: 'Google Search Central: consolidate duplicate URLs',
    url: 'https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls',
  },
  *checkSite(site) {
    const clusters = new Map<string, PageSummary[]>();
    for (const page of site.pages) {
      if (page.duplicateOf === null || !isNearDuplicate(page, site)) continue;
      const cluster = clusters.get(page.duplicateOf);
      if (cluster === undefined) clusters.set(page.duplicateOf, [page]);
      else cluster.push(page);
    }
    for (const [representative, pages] of clusters) {
      const original = site.page(representative);
      if (original === null) continue;
      const all = [original, ...pages];
      const least = Math.min(...pages.map(({ similarity }) => similarity ?? 1));
      yield {
        url: representative,
        target: representative,
        sources: referrersOf(all),
        confidence: least === 1 ? 'high' : 'medium',
        message: `${all.length} pages have nearly the same text (${Math.floor(least * 100)} % alike)`,
        evidence: { others: pages.slice(0, 5).map(({ url }) => url) },
      };
    }
  },
};
