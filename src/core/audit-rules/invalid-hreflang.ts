import type { SiteRule } from '../../model/audit-rule.ts';
import { languageFault } from './language-tag.ts';
import { LOCALIZED_VERSIONS } from './localized-versions.ts';

/** Codes that ISO 3166-1 reserves for unions of countries: a tag of BCP 47 may have them, an alternate may not. */
const UNION = /^[a-z]{2,3}(?:-[a-z]{4})?-(eu|un|ez)$/i;

function unionFault(code: string): string | null {
  const union = UNION.exec(code)?.[1]?.toUpperCase();
  return union === undefined ? null : `${union} is no country`;
}

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
        const fault = code.toLowerCase() === 'x-default' ? null : (languageFault(code) ?? unionFault(code));
        if (fault === null) continue;
        yield { url, thing: code, message: `hreflang=${JSON.stringify(code)}: ${fault}`, evidence: { snippet: code } };
      }
    }
  },
};
