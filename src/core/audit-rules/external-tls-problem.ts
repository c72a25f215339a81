import type { SiteRule } from '../../model/audit-rule.ts';
import { tlsFaultOf, tlsFaultWords } from './tls-fault.ts';
import { hostOf } from './host-of.ts';

export const externalTlsProblem: SiteRule = {
  id: 'external-tls-problem',
  severity: 'notice',
  category: 'links',
  about: 'target',
  needsExternal: true,
  title: 'Link to a page of another site that browsers warn of',
  why: 'Readers see a warning in place of the page. The other site may mend it tomorrow.',
  fix: 'Look at it in a browser; if the warning stays, link to another page.',
  source: {
    name: 'RFC 9110, section 4.3.4: https Certificate Verification',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-4.3.4',
  },
  *checkSite(site) {
    for (const { url, verdict, chain, detail, sources } of site.external ?? []) {
      const fault = verdict === 'unsure' ? tlsFaultOf(detail) : null;
      const [first] = sources.first;
      // some browsers fetch a missing intermediate certificate
      if (fault === null || fault === 'unknown-issuer' || first === undefined) continue;
      const end = chain.at(-1) ?? url;
      yield {
        url: first.url,
        target: url,
        sources,
        confidence: 'medium',
        message: `Link to ${url}: ${hostOf(end)} is not trusted, for ${tlsFaultWords(fault)}`,
        evidence: { request: `GET ${end} ${detail ?? ''}`, ...(chain.length > 1 ? { chain } : {}) },
      };
    }
  },
};
