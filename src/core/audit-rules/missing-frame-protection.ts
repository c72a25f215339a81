import type { PageRule } from '../../model/audit-rule.ts';
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
    const policy = responseHeader(page, 'content-security-policy') ?? '';
    if (responseHeader(page, 'x-frame-options') === null && !/\bframe-ancestors\b/i.test(policy))
      yield { message: 'Neither X-Frame-Options nor frame-ancestors says who may show the page in a frame' };
  },
};
