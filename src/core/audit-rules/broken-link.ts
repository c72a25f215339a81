import type { LinkedReferrers } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf, failureWords, isGone } from './target-end.ts';

export const brokenLink: SiteRule = {
  id: 'broken-link',
  severity: 'error',
  category: 'links',
  about: 'target',
  title: 'Link to a page that does not exist',
  why: 'Readers come to an error page, and crawlers spend their visits there.',
  fix: 'Correct or remove the link, or let the old address redirect to the page that has taken its place.',
  source: {
    name: 'RFC 9110, section 15.5: Client Error 4xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5',
  },
  *checkSite(site) {
    for (const [address, sources] of site.linked) {
      const { end, chain, loops } = endOf(site, address);
      const first = sources.first[0];
      if (end === null || loops || first === undefined || !isGone(end, site)) continue;
      yield {
        url: first.url,
        target: address,
        sources,
        message: `${wayTo(sources)} ${address}, which ${failureWords(end, chain)}`,
        // without the form's data the address may fail
        ...(sources.isFormAlone ? { severity: 'warning' as const, confidence: 'medium' as const } : {}),
        evidence: {
          request: `GET ${end.url} ${end.status ?? end.detail ?? end.outcome}`,
          ...(chain.length > 1 ? { chain } : {}),
        },
      };
    }
  },
};

function wayTo({ isFormAlone, isFrameAlone }: LinkedReferrers): string {
  if (isFrameAlone) return 'Frame of';
  return isFormAlone ? 'Form that leads to' : 'Link to';
}
