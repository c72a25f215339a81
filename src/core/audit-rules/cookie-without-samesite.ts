import type { PageRule } from '../../model/audit-rule.ts';
import { sessionCookies } from './session-cookies.ts';

export const cookieWithoutSamesite: PageRule = {
  id: 'cookie-without-samesite',
  severity: 'notice',
  category: 'security',
  about: 'site',
  alsoOn: ['log-in-page', 'signed-out'],
  needsDetails: true,
  title: 'Session cookie that leaves SameSite to the browser',
  why: 'Browsers differ in whether they send it along with requests that other sites make.',
  fix: 'Set the cookie with SameSite=Lax or Strict.',
  source: {
    name: 'RFC 6265, section 8.2: Ambient Authority',
    url: 'https://www.rfc-editor.org/rfc/rfc6265.html#section-8.2',
  },
  *checkPage(page) {
    yield* sessionCookies(page, ({ sameSite }) => sameSite === null, 'SameSite');
  },
};
