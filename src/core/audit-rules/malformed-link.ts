import type { PageRule } from '../../model/audit-rule.ts';

export const malformedLink: PageRule = {
  id: 'malformed-link',
  severity: 'error',
  category: 'links',
  about: 'element',
  title: 'Link whose address is mistyped or incomplete',
  why: 'A click on it does nothing, or opens an empty mail or call.',
  fix: 'Correct the address, or take the link out.',
  source: { name: 'URL Standard, URL writing', url: 'https://url.spec.whatwg.org/#url-writing' },
  *checkPage({ url, malformed, hasScripts, rendered }) {
    // scripts that were not run may complete the address
    const isSure = rendered || !hasScripts;
    for (const { href, fault, selector, text } of malformed)
      yield {
        thing: href,
        message: `Link to ${JSON.stringify(href)}: ${fault}`,
        evidence: { selector },
        sources: { count: 1, first: [{ url, selector, text }] },
        ...(isSure ? {} : { confidence: 'low' as const, severity: 'notice' as const }),
      };
  },
};
