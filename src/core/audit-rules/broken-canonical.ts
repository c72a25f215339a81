import type { SiteFacts } from '../../model/audit-facts.ts';
import type { SiteRule } from '../../model/audit-rule.ts';
import { hidingDirective, hidingWords } from './hiding-directive.ts';
import { endOf, failureWords, isGone, isUnsure } from './target-end.ts';

export const brokenCanonical: SiteRule = {
  id: 'broken-canonical',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Canonical address that cannot be listed',
  why: 'It is no page, or keeps search engines out: they may list neither that address nor this page.',
  fix: 'Name the address of this page, or of the one that has the same content.',
  source: { name: 'RFC 6596: The Canonical Link Relation', url: 'https://www.rfc-editor.org/rfc/rfc6596.html' },
  *checkSite(site) {
    for (const page of site.pages) {
      if (page.judged !== true) continue;
      for (const { href, url } of page.canonicals) {
        const shown = JSON.stringify(href.slice(0, 200));
        if (url === null) {
          yield {
            url: page.url,
            thing: href,
            message: `The canonical address ${shown} is no http(s) URL`,
            evidence: { snippet: href },
          };
          continue;
        }
        const { end, chain, loops } = endOf(site, url);
        const hidden = hidingDirective(page.robots) !== null ? null : hiddenWords(site, chain.at(-1) ?? url);
        if (hidden !== null) {
          yield { url: page.url, target: url, thing: url, message: `The canonical address ${url} ${hidden}` };
          continue;
        }
        const isSure = loops || (end !== null && isGone(end, site));
        if (end === null || (!isSure && !isUnsure(end))) continue;
        yield {
          url: page.url,
          target: url,
          thing: url,
          message: `The canonical address ${url} ${loops ? 'is redirected in a circle' : failureWords(end, chain)}`,
          evidence: {
            request: `GET ${end.url} ${end.status ?? end.outcome}`,
            ...(chain.length > 1 ? { chain } : {}),
          },
          ...(isSure ? {} : { severity: 'warning' as const, confidence: 'low' as const }),
        };
      }
    }
  },
};

/** Why search engines cannot list the address; null where nothing says that they cannot. */
function hiddenWords(site: Pick<SiteFacts, 'page' | 'isDisallowed'>, url: string): string | null {
  if (site.isDisallowed(url)) return 'is forbidden by robots.txt';
  const page = site.page(url);
  const hiding = page?.judged === true ? hidingDirective(page.robots) : null;
  return hiding === null ? null : `says ${hidingWords(hiding)}`;
}
