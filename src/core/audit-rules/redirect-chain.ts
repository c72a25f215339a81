import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf } from './target-end.ts';

/** One redirect is normal for an address that has moved. */
const FEWEST_HOPS = 2;

export const redirectChain: SiteRule = {
  id: 'redirect-chain',
  severity: 'warning',
  category: 'links',
  about: 'target',
  title: 'Link that is redirected several times',
  why: 'Each redirect is a round trip before anything is shown, and crawlers follow only so many.',
  fix: 'Link to the last address of the chain, and let each old address redirect straight to it.',
  source: {
    name: 'RFC 9110, section 15.4: Redirection 3xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.4',
  },
  *checkSite(site) {
    for (const [address, sources] of site.linked) {
      // the last address may be one that the crawl did not visit, such as a page of another site
      const { chain, loops } = endOf(site, address);
      const first = sources.first[0];
      if (loops || first === undefined || chain.length - 1 < FEWEST_HOPS) continue;
      yield {
        url: first.url,
        target: address,
        sources,
        message: `Link to ${address}, which is redirected ${chain.length - 1} times before ${chain.at(-1) ?? address}`,
        evidence: { chain },
      };
    }
  },
};
