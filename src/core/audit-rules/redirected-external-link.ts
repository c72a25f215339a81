import type { SiteRule } from '../../model/audit-rule.ts';

export const redirectedExternalLink: SiteRule = {
  id: 'redirected-external-link',
  severity: 'notice',
  category: 'links',
  about: 'target',
  needsExternal: true,
  title: 'Link to a page of another site that has moved for good',
  why: 'The other site says that the page has a new address. It may stop to redirect the old one at any time.',
  fix: 'Link to the new address.',
  source: {
    name: 'RFC 9110, section 15.4: Redirection 3xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4',
  },
  *checkSite(site) {
    for (const { url, verdict, permanent, chain, sources } of site.external ?? []) {
      const [first] = sources.first;
      if (verdict !== 'redirected' || !permanent || first === undefined) continue;
      yield {
        url: first.url,
        target: url,
        sources,
        message: `Link to ${url}, which has moved to ${chain.at(-1) ?? url}`,
        evidence: { chain },
      };
    }
  },
};
