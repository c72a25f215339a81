import type { PageRule } from '../../model/audit-rule.ts';
import { hostOf } from './host-of.ts';

/** Days: certificates that renew by themselves do so a month before (Let's Encrypt). */
const SOON = 14;
/** Those of a few days renew when a third to a half of their time is left. */
const SHARE = 1 / 6;

export const certificateExpiresSoon: PageRule = {
  id: 'certificate-expires-soon',
  severity: 'warning',
  category: 'security',
  about: 'site',
  needsDetails: true,
  needsServer: true,
  title: 'Certificate that ends soon',
  why: 'From that day on browsers show a warning in place of the site.',
  fix: 'Renew the certificate, and see why it was not renewed by itself.',
  source: {
    name: 'RFC 5280, section 4.1.2.5: Validity',
    url: 'https://www.rfc-editor.org/rfc/rfc5280.html#section-4.1.2.5',
  },
  *checkPage({ url, details }) {
    const tls = details?.behaviour?.tls ?? null;
    if (tls === null || tls.daysLeft >= Math.min(SOON, (tls.lifetime ?? Number.POSITIVE_INFINITY) * SHARE)) return;
    const { daysLeft, issuer } = tls;
    yield {
      thing: hostOf(url),
      message: `The certificate of ${hostOf(url)} (${issuer}) ends in ${daysLeft === 1 ? '1 day' : `${daysLeft} days`}`,
    };
  },
};
