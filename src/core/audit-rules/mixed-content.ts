import type { SiteRule } from '../../model/audit-rule.ts';

/** Browsers request these over https instead, and show nothing where that fails; pictures of a `srcset` they block (Mixed Content, section 4.1). */
const UPGRADED = /^(?:img|audio|video|source|picture|image)\b(?!\/@srcset)/;

export const mixedContent: SiteRule = {
  id: 'mixed-content',
  severity: 'error',
  category: 'links',
  about: 'target',
  title: 'Secure page that loads a part without encryption',
  why: 'Browsers block scripts, sheets and frames that come by http, and upgrade pictures, so that the part is missing or untrustworthy.',
  fix: 'Load the part by https, or from the site itself.',
  source: { name: 'Mixed Content (W3C)', url: 'https://www.w3.org/TR/mixed-content/' },
  *checkSite({ mixed }) {
    for (const { url: part, context, ...sources } of mixed) {
      const first = sources.first[0];
      if (first === undefined) continue;
      yield {
        url: first.url,
        target: part,
        sources,
        message: `A page of https loads ${part} by http (${context})`,
        evidence: { request: `GET ${part}` },
        ...(UPGRADED.test(context) ? { severity: 'warning' as const } : {}),
      };
    }
  },
};
