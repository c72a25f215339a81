import type { SiteRule } from '../../model/audit-rule.ts';
import { endOf } from './target-end.ts';

export const insecureLink: SiteRule = {
  id: 'insecure-link',
  severity: 'warning',
  category: 'links',
  about: 'target',
  title: 'Link by http to a page that https has as well',
  why: 'The first request goes unencrypted: it can be read and changed on its way, and the redirect costs a round trip.',
  fix: 'Write https:// in the link, or leave the scheme and host out.',
  source: {
    name: 'RFC 9110, section 4.2.2: https URI Scheme',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-4.2.2',
  },
  *checkSite(site) {
    for (const [address, sources] of site.linked) {
      if (!address.startsWith('http:')) continue;
      const secure = address.replace(/^http:/, 'https:');
      const { end } = endOf(site, address);
      const answers =
        site.target(secure)?.outcome === 'captured' || (end?.outcome === 'captured' && end.url.startsWith('https:'));
      const first = sources.first.find(({ url }) => url.startsWith('https:'));
      if (!answers || first === undefined) continue;
      yield {
        url: first.url,
        target: address,
        sources,
        message: `Link by http to ${address}, which https has as well`,
      };
    }
  },
};
