import type { PageRule } from '../../model/audit-rule.ts';
import { sessionCookies } from './session-cookies.ts';

export const cookieWithoutHttponly: PageRule = {
  id: 'cookie-without-httponly',
  severity: 'warning',
  category: 'security',
  about: 'site',
  alsoOn: ['log-in-page', 'signed-out'],
  needsDetails: true,
  title: 'Session cookie that scripts can read',
  why: 'A script that gets into the page, or one of another site that runs in it, can take the session away.',
  fix: 'Set the cookie with HttpOnly.',
  source: {
    name: 'RFC 6265, section 4.1.2.6: The HttpOnly Attribute',
    url: 'https://www.rfc-editor.org/rfc/rfc6265.html#section-4.1.2.6',
  },
  *checkPage(page) {
    yield* sessionCookies(page, ({ httpOnly }) => !httpOnly, 'HttpOnly');
  },
};
