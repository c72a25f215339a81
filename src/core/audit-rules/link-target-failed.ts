import type { SiteRule } from '../../model/audit-rule.ts';
import { tlsFaultOf } from './tls-fault.ts';
import { endOf, failureWords, isGone, isUnsure } from './target-end.ts';

export const linkTargetFailed: SiteRule = {
  id: 'link-target-failed',
  severity: 'warning',
  category: 'links',
  about: 'target',
  title: 'Link to a page that did not answer well when it was visited',
  why: 'The server refused, failed or was too slow. It may do so to readers as well, or to crawlers alone, or only that day.',
  fix: 'Open the address in a browser. If it fails there, mend the page; if not, see why the server treats a crawler otherwise.',
  source: {
    name: 'RFC 9110, section 15.6: Server Error 5xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.6',
  },
  *checkSite(site) {
    for (const [address, sources] of site.linked) {
      const { end, chain, loops } = endOf(site, address);
      const first = sources.first[0];
      if (end === null || loops || first === undefined || isGone(end, site) || !isUnsure(end)) continue;
      // a target that asks for a log-in works; the rule tls-problem reports hosts that are not trusted
      if (end.status === 401 || end.status === 407 || tlsFaultOf(end.detail) !== null) continue;
      yield {
        url: first.url,
        target: address,
        sources,
        confidence: 'low',
        message: `Not sure: ${address} ${failureWords(end, chain)}`,
        evidence: {
          request: `GET ${end.url} ${end.status ?? end.detail ?? end.outcome}`,
          ...(chain.length > 1 ? { chain } : {}),
        },
      };
    }
  },
};
