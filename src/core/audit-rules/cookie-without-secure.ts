import type { PageRule } from '../../model/audit-rule.ts';
import { sessionCookies } from './session-cookies.ts';

export const cookieWithoutSecure: PageRule = {
  id: 'cookie-without-secure',
  severity: 'warning',
  category: 'security',
  about: 'site',
  alsoOn: ['log-in-page', 'signed-out'],
  needsDetails: true,
  title: 'Session cookie that is sent without encryption, too',
  why: 'A single request by http shows the session to anyone who listens.',
  fix: 'Set the cookie with Secure.',
  source: {
    name: 'RFC 6265, section 4.1.2.5: The Secure Attribute',
    url: 'https://www.rfc-editor.org/rfc/rfc6265.html#section-4.1.2.5',
  },
  *checkPage(page) {
    if (page.url.startsWith('https:')) yield* sessionCookies(page, ({ secure }) => !secure, 'Secure');
  },
};
