import type { SiteRule } from '../../model/audit-rule.ts';

export const deadEnd: SiteRule = {
  id: 'dead-end',
  severity: 'notice',
  category: 'links',
  about: 'page',
  title: 'Page without a link to another page',
  why: 'Readers who come from elsewhere have no way into the site but to edit the address.',
  fix: 'Link at least to the page above it, or to the start.',
  source: {
    name: 'WCAG 2.2, success criterion 2.4.5: Multiple Ways',
    url: 'https://www.w3.org/TR/WCAG22/#multiple-ways',
  },
  *checkSite(site) {
    for (const url of site.deadEnds) {
      if (site.page(url)?.judged === true) yield { url, message: 'No link leads from the page to another one' };
    }
  },
};
