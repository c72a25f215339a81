import type { PageRule } from '../../model/audit-rule.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

export const missingReferrerPolicy: PageRule = {
  id: 'missing-referrer-policy',
  severity: 'notice',
  category: 'security',
  about: 'layout',
  needsDetails: true,
  needsServer: true,
  title: 'Page that leaves its referrer to the browser',
  why: 'Browsers of today send other sites the origin alone; older ones send the whole address.',
  fix: 'Send Referrer-Policy: strict-origin-when-cross-origin, or a stricter one.',
  source: { name: 'Referrer Policy (W3C)', url: 'https://www.w3.org/TR/referrer-policy/' },
  *checkPage(page) {
    if (!hasServerHeaders(page)) return;
    if (responseHeader(page, 'referrer-policy') === null && !page.metaPolicies.includes('referrer'))
      yield { message: 'The page has no Referrer-Policy' };
  },
};
