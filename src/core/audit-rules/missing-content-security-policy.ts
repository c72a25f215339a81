import type { PageRule } from '../../model/audit-rule.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

export const missingContentSecurityPolicy: PageRule = {
  id: 'missing-content-security-policy',
  severity: 'notice',
  category: 'security',
  about: 'layout',
  needsDetails: true,
  needsServer: true,
  title: 'Page without a Content-Security-Policy',
  why: 'If somebody gets a script into the page, nothing keeps it from running.',
  fix: 'Send a Content-Security-Policy; begin with Content-Security-Policy-Report-Only to see what it would forbid.',
  source: { name: 'Content Security Policy Level 3 (W3C)', url: 'https://www.w3.org/TR/CSP3/' },
  *checkPage(page) {
    if (!hasServerHeaders(page)) return;
    const names = ['content-security-policy', 'content-security-policy-report-only'];
    if (
      names.every((name) => responseHeader(page, name) === null) &&
      !page.metaPolicies.includes('content-security-policy')
    )
      yield { message: 'The page has no Content-Security-Policy' };
  },
};
