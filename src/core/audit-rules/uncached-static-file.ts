import type { PageRule } from '../../model/audit-rule.ts';

export const uncachedStaticFile: PageRule = {
  id: 'uncached-static-file',
  severity: 'notice',
  category: 'weight',
  about: 'target',
  needsDetails: true,
  needsServer: true,
  title: 'File that browsers are not told to keep',
  why: 'Without Cache-Control or Expires each browser guesses how long the file is good, and asks again and again.',
  fix: 'Send Cache-Control: max-age with pictures, scripts, sheets and fonts; give those that change a new name.',
  source: { name: 'RFC 9111: HTTP Caching', url: 'https://www.rfc-editor.org/rfc/rfc9111.html' },
  *checkPage({ details, isFromServer }) {
    if (!isFromServer) return;
    for (const { url, type } of details?.behaviour?.uncached.first ?? [])
      yield {
        target: url,
        isBuilt: true,
        message: `${url} (${type}) comes without Cache-Control and Expires`,
      };
  },
};
