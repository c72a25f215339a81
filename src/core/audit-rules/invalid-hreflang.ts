import type { SiteRule } from '../../model/audit-rule.ts';
import { languageFault } from './language-tag.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';

export const invalidHreflang: SiteRule = {
  id: 'invalid-hreflang',
  severity: 'error',
  category: 'documents',
  about: 'element',
  title: 'Alternate page for a language that does not exist',
  why: 'Search engines ignore an alternate whose code they do not know.',
  fix: 'Write a language of ISO 639-1, with a region of ISO 3166-1 behind a hyphen where it matters, or x-default.',
  source: LOCALIZED_VERSIONS,
  *checkSite({ pages }) {
    for (const { url, judged, alternates } of pages) {
      if (judged !== true) continue;
      for (const code of new Set(alternates.map((each) => each.code))) {
        const fault = code.toLowerCase() === 'x-default' ? null : languageFault(code);
        if (fault === null) continue;
        yield { url, thing: code, message: `hreflang=${JSON.stringify(code)}: ${fault}`, evidence: { snippet: code } };
      }
    }
  },
};
