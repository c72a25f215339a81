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
    const duplicates = site.pages.filter((page) => isNearDuplicate(page, site));
    // the crawl compares with the page that came first, which may be another one next time: the finding names the first in the order of pages
    const clusters = new Map<string | null, PageSummary[]>(duplicates.map(({ duplicateOf }) => [duplicateOf, []]));
    const isDuplicate = new Set(duplicates);
    for (const page of site.pages) {
      if (isDuplicate.has(page)) clusters.get(page.duplicateOf)?.push(page);
      clusters.get(page.url)?.push(page);
    }
    for (const all of clusters.values()) {
      const [first, ...others] = all;
      if (first === undefined) continue;
      const least = Math.min(...all.map((page) => (isDuplicate.has(page) ? (page.similarity ?? 1) : 1)));
      yield {
        url: first.url,
        target: first.url,
        sources: referrersOf(all),
        confidence: least === 1 ? 'high' : 'medium',
        message: `${all.length} pages have nearly the same text (${Math.floor(least * 100)} % alike)`,
        evidence: { others: others.slice(0, 5).map(({ url }) => url) },
      };
    }
  },
};
