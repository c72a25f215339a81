import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf } from './target-end.ts';

export const chainedCanonical: SiteRule = {
  id: 'chained-canonical',
  severity: 'warning',
  category: 'documents',
  about: 'page',
  title: 'Canonical address that names another one in turn',
  why: 'An address that redirects or has another canonical address is not the one to be listed: search engines have to guess.',
  fix: 'Name the last address of the chain, or in a circle the address that is to be listed.',
  source: { name: 'RFC 6596: The Canonical Link Relation', url: 'https://www.rfc-editor.org/rfc/rfc6596.html' },
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      const named = page.canonicals[0]?.url ?? null;
      if (named === null || named === page.url) continue;
      const { end, chain, loops } = endOf(site, named);
      // a redirect back to the page itself names the page, though by a detour
      const last = chain.at(-1) ?? named;
      const next = site.page(last)?.canonicals[0]?.url ?? null;
      const isChained = chain.length > 1 || (next !== null && next !== last);
      if (loops || !isChained) continue;
      // broken-canonical reports a chain to nothing; the end may be an address that the crawl did not visit
      if (end !== null && end.outcome !== 'captured' && end.outcome !== 'redirected') continue;
      const own = next === page.url ? 'names this page in turn' : `has ${next ?? last} as its own`;
      yield {
        url: page.url,
        target: named,
        message: `The canonical address ${named} ${chain.length > 1 ? `redirects to ${last}` : own}`,
        evidence: { chain: [page.url, ...chain, ...(next !== null && next !== last ? [next] : [])] },
      };
    }
  },
};
