import type { PageRule } from '../../model/audit-rule.ts';
import { DETAILED_HEADER_LENGTH } from '../../model/page-details.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

export const missingFrameProtection: PageRule = {
  id: 'missing-frame-protection',
  severity: 'notice',
  category: 'security',
  about: 'layout',
  needsDetails: true,
  needsServer: true,
  title: 'Page that any site may show in a frame',
  why: 'Another site can lay itself over the page and make its readers click what they do not see.',
  fix: 'Send Content-Security-Policy: frame-ancestors with the sites that may, or X-Frame-Options: SAMEORIGIN.',
  source: { name: 'CSP Level 3, frame-ancestors (W3C)', url: 'https://www.w3.org/TR/CSP3/#directive-frame-ancestors' },
  *checkPage(page) {
    if (!hasServerHeaders(page)) return;
    const policies = (page.details?.headers ?? []).filter(([name]) => name === 'content-security-policy');
    // browsers obey each of several policies; what stands beyond the kept part of a long one is not known
    const mayProtect = policies.some(
      ([, policy]) => /\bframe-ancestors\b/i.test(policy) || policy.length >= DETAILED_HEADER_LENGTH,
    );
    if (responseHeader(page, 'x-frame-options') === null && !mayProtect)
      yield { message: 'Neither X-Frame-Options nor frame-ancestors says who may show the page in a frame' };
  },
};
