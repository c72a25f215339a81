import type { SiteRule } from '../../model/audit-rule.ts';

export const soft404: SiteRule = {
  id: 'soft-404',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Page that says that it was not found, with a status of success',
  why: 'Search engines list it, monitoring takes it for a page, and nobody notices the broken links that lead there.',
  fix: 'Answer with status 404 or 410.',
  source: {
    name: 'RFC 9110, section 15.5.5: 404 Not Found',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15.5.5',
  },
  *checkSite(site) {
    for (const { url, judged, status, title } of site.pages) {
      if (judged !== 'soft-404') continue;
      yield {
        url,
        // by its text alone
        confidence: 'medium',
        message: `The page says that it was not found and answers with status ${status ?? 200}`,
        evidence: { snippet: title, request: `GET ${url} ${status ?? 200}` },
      };
    }
  },
};
