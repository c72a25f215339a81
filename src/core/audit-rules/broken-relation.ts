import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf, failureWords, isGone } from './target-end.ts';

export const brokenRelation: SiteRule = {
  id: 'broken-relation',
  severity: 'warning',
  category: 'documents',
  about: 'target',
  title: 'Related page or feed that does not exist',
  why: 'Feed readers, browsers and search engines that follow the relation (amphtml, next, alternate) come to an error page.',
  fix: 'Correct or remove the link element or the Link header, or let the address redirect to what is meant.',
  source: { name: 'HTML Standard, link types', url: 'https://html.spec.whatwg.org/multipage/links.html#linkTypes' },
  *checkSite(site) {
    for (const [address, { relation, count, first }] of site.related) {
      const { end, chain, loops } = endOf(site, address);
      const [source] = first;
      // where readers are led there as well, the rules on links report it
      if (end === null || source === undefined || site.linked.has(address) || (!loops && !isGone(end, site))) continue;
      yield {
        url: source.url,
        target: address,
        sources: { count, first },
        message: `The address of the relation ${relation} is ${address}, which ${loops ? 'is redirected in a circle' : failureWords(end, chain)}`,
        evidence: {
          request: `GET ${end.url} ${end.status ?? end.detail ?? end.outcome}`,
          ...(chain.length > 1 ? { chain } : {}),
        },
      };
    }
  },
};
