import type { SiteRule } from '../../model/audit-rule.ts';

/** What the rules about alternates go by. */
export const LOCALIZED_VERSIONS: SiteRule['source'] = {
  name: 'Google Search Central: localized versions of a page',
  url: 'https://developers.google.com/search/docs/specialty/international/localized-versions',
};
