import type { SiteRule } from '../../model/audit-rule.ts';

export const clickOnlyPage: SiteRule = {
  id: 'click-only-page',
  severity: 'notice',
  category: 'links',
  about: 'target',
  title: 'Page that only a click of a script reveals',
  why: 'No anchor leads there: it cannot be opened in a new tab, and search engines do not click.',
  fix: 'Make the element an anchor with an href; a script may still take the click.',
  source: {
    name: 'Google Search Central: links that can be crawled',
    url: 'https://developers.google.com/search/docs/crawling-indexing/links-crawlable',
  },
  *checkSite(site) {
    for (const address of site.clickOnly) {
      const sources = site.linked.get(address);
      const first = sources?.first[0];
      if (sources === undefined || first === undefined || site.sitemapEntries.has(address)) continue;
      if (site.target(address)?.outcome !== 'captured') continue;
      yield { url: first.url, target: address, sources, message: `Only a click of a script leads to ${address}` };
    }
  },
};
