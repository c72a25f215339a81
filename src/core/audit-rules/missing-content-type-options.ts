import type { PageRule } from '../../model/audit-rule.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

export const missingContentTypeOptions: PageRule = {
  id: 'missing-content-type-options',
  severity: 'notice',
  category: 'security',
  about: 'layout',
  needsDetails: true,
  needsServer: true,
  title: 'Answer whose type browsers may guess',
  why: 'A file that a visitor has uploaded may be taken for a script, whatever type the server gives it.',
  fix: 'Send X-Content-Type-Options: nosniff.',
  source: {
    name: 'Fetch Standard, X-Content-Type-Options',
    url: 'https://fetch.spec.whatwg.org/#x-content-type-options-header',
  },
  *checkPage(page) {
    if (!hasServerHeaders(page)) return;
    const header = responseHeader(page, 'x-content-type-options');
    if (header?.trim().toLowerCase().startsWith('nosniff') !== true)
      yield { message: 'The answer has no header X-Content-Type-Options: nosniff' };
  },
};
