import type { SiteRule } from '../../model/audit-rule.ts';

/** Arbitrary: a page that takes more clicks is hard to find on most sites. */
const MOST_CLICKS = 6;

export const deepPage: SiteRule = {
  id: 'deep-page',
  severity: 'notice',
  category: 'links',
  about: 'page',
  // a link on a page that was not seen could be the shorter way
  needsWholeCrawl: true,
  title: `Page more than ${MOST_CLICKS} clicks away from the start`,
  why: 'Few readers go that far, and crawlers visit such pages late and seldom.',
  fix: 'Link to it from a page that is nearer to the start: an overview, a list, a related page.',
  source: {
    name: 'Google Search Central: site structure',
    url: 'https://developers.google.com/search/docs/fundamentals/seo-starter-guide',
  },
  *checkSite(site) {
    for (const [url, clicks] of site.clicks) {
      if (clicks <= MOST_CLICKS || site.page(url)?.judged !== true) continue;
      yield { url, message: `The page is ${clicks} clicks away from the start` };
    }
  },
};
