import type { PageRule } from '../../model/audit-rule.ts';
import { hostOf, isPublicHost } from './host-of.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

export const missingTransportSecurity: PageRule = {
  id: 'missing-transport-security',
  severity: 'notice',
  category: 'security',
  about: 'site',
  needsDetails: true,
  needsServer: true,
  title: 'Secure site that does not insist on encryption',
  why: 'Without Strict-Transport-Security the first request of a reader may go by http, where others can read and change it.',
  fix: 'Send Strict-Transport-Security: max-age=31536000 with all answers by https.',
  source: { name: 'RFC 6797: HTTP Strict Transport Security', url: 'https://www.rfc-editor.org/rfc/rfc6797.html' },
  *checkPage(page) {
    if (!hasServerHeaders(page)) return;
    if (!page.url.startsWith('https:') || !isPublicHost(page.url)) return;
    const header = responseHeader(page, 'strict-transport-security');
    if (header === null)
      yield { thing: hostOf(page.url), message: 'The answer has no Strict-Transport-Security header' };
    else if (/max-age\s*=\s*"?0\b/i.test(header)) {
      yield {
        thing: hostOf(page.url),
        message: 'Strict-Transport-Security is switched off (max-age=0)',
        evidence: { header: `strict-transport-security: ${header}` },
      };
    }
  },
};
