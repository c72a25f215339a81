import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf } from './target-end.ts';

export const redirectLoop: SiteRule = {
  id: 'redirect-loop',
  severity: 'error',
  category: 'links',
  about: 'target',
  title: 'Link that is redirected in a circle',
  why: 'Browsers give up and show an error: nobody reaches a page there.',
  fix: 'Mend the redirects so that they end at a page; often a rule for the scheme, the host or the last slash undoes another one.',
  source: {
    name: 'RFC 9110, section 15.4: Redirection 3xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4',
  },
  *checkSite(site) {
    for (const [address, sources] of site.linked) {
      const { chain, loops } = endOf(site, address);
      const first = sources.first[0];
      if (!loops || first === undefined) continue;
      yield {
        url: first.url,
        target: address,
        sources,
        // a site that sets a cookie and comes back may do so to a crawler alone
        confidence: 'medium',
        message: `Link to ${address}, which is redirected in a circle`,
        evidence: { chain },
      };
    }
  },
};
