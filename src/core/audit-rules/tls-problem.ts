import type { SiteRule } from '../../model/audit-rule.ts';
import { tlsFaultOf, tlsFaultWords } from './tls-fault.ts';
import { hostOf } from './host-of.ts';

export const tlsProblem: SiteRule = {
  id: 'tls-problem',
  severity: 'error',
  category: 'security',
  about: 'site',
  title: 'Host that cannot be reached securely',
  why: 'Browsers show a warning in place of its pages, and crawlers see nothing of them.',
  fix: 'Install a certificate of that name with the whole chain to a known authority, and TLS 1.2 or 1.3.',
  source: {
    name: 'RFC 9110, section 4.3.4: https Certificate Verification',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-4.3.4',
  },
  *checkSite({ unreachable }) {
    for (const { url, detail } of unreachable) {
      const fault = tlsFaultOf(detail);
      if (fault === null) continue;
      yield {
        url,
        thing: `${hostOf(url)} ${fault}`,
        // the authority of an organisation is known to its own machines
        ...(fault === 'unknown-issuer' ? { severity: 'warning' as const, confidence: 'medium' as const } : {}),
        message: `${hostOf(url)} is not trusted, and nothing was seen of it: ${tlsFaultWords(fault)}`,
        evidence: { request: `GET ${url} ${detail ?? ''}` },
      };
    }
  },
};
