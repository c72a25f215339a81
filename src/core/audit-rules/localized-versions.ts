import type { SiteRule } from '../../model/audit-rule.ts';

/** Source of the rules about alternates. */
export const LOCALIZED_VERSIONS: SiteRule['source'] = {
  name: 'Google Search Central: localized versions of a page',
  url: 'https://developers.google.com/search/docs/specialty/international/localized-versions',
};
