import type { SiteRule } from '../../model/audit-rule.ts';

export const brokenExternalLink: SiteRule = {
  id: 'broken-external-link',
  severity: 'error',
  category: 'links',
  about: 'target',
  needsExternal: true,
  title: 'Link to a page of another site that does not exist',
  why: 'Readers come to an error page, and may take the text for as old as the link.',
  fix: 'Link to where the page has gone, to a copy in an archive, or to nothing.',
  source: {
    name: 'RFC 9110, section 15.5: Client Error 4xx',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5',
  },
  *checkSite(site) {
    for (const { url, verdict, status, chain, detail, sources } of site.external ?? []) {
      const [first] = sources.first;
      if (verdict !== 'broken' || first === undefined) continue;
      const end = chain.at(-1) ?? url;
      const answer = status === null ? `cannot be reached: ${detail ?? 'no answer'}` : `answers with status ${status}`;
      yield {
        url: first.url,
        target: url,
        sources,
        message: `Link to ${url}, which ${end === url ? '' : `redirects to ${end}, which `}${answer}`,
        evidence: {
          request: `GET ${end} ${status ?? detail ?? ''}`,
          ...(chain.length > 1 ? { chain } : {}),
        },
      };
    }
  },
};
