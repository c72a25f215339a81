import type { PageSummary, SiteFacts } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';
import { isIndexable, referrersOf } from './indexable.ts';

/** Below this similarity, pages with titles of their own share a long list or a menu more often than a text. Arbitrary. */
const ALIKE = 0.98;

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
      // search engines ignore routes behind #
      if (page.url.includes('#')) continue;
      // a page that names a canonical address, or is not to be listed, has settled it; translations are no duplicates
      if (
        page.duplicateOf === null ||
        isLayoutAlone(page, site) ||
        !isIndexable(page) ||
        page.canonicals.length > 0 ||
        page.alternates.length > 0
      )
        continue;
      const cluster = clusters.get(page.duplicateOf);
      if (cluster === undefined) clusters.set(page.duplicateOf, [page]);
      else cluster.push(page);
    }
    for (const [representative, pages] of clusters) {
      const original = site.page(representative);
      if (original === null || !isIndexable(original)) continue;
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

function isLayoutAlone({ title, duplicateOf, similarity }: PageSummary, site: Pick<SiteFacts, 'page'>): boolean {
  if ((similarity ?? 1) >= ALIKE || duplicateOf === null) return false;
  return title !== '' && title !== site.page(duplicateOf)?.title;
}
