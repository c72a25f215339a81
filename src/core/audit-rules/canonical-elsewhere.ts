import type { SiteRule } from '../../model/audit-rule.ts';

export const canonicalElsewhere: SiteRule = {
  id: 'canonical-elsewhere',
  severity: 'notice',
  category: 'documents',
  about: 'page',
  title: 'Canonical address on another host',
  why: 'The page asks search engines to list an address of another host in its place. That is right for a copy, and a mistake anywhere else.',
  fix: 'If the page is the original, name its own address.',
  source: { name: 'RFC 6596: The Canonical Link Relation', url: 'https://www.rfc-editor.org/rfc/rfc6596.html' },
  *checkSite(site) {
    for (const page of site.pages) {
      const named = page.canonicals[0]?.url ?? null;
      if (page.judged !== true || named === null || site.isOwn(named)) continue;
      yield { url: page.url, target: named, message: `The canonical address is on another host: ${named}` };
    }
  },
};
