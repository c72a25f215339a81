import type { SiteRule } from '../../model/audit-rule.ts';

export const brokenFragment: SiteRule = {
  id: 'broken-fragment',
  severity: 'warning',
  category: 'links',
  about: 'target',
  title: 'Link to a place that its page does not have',
  why: 'The browser shows the top of the page instead of the place that the link promises.',
  fix: 'Give the element that is meant an id of that name, or correct the part of the link behind #.',
  source: {
    name: 'HTML Standard, scrolling to a fragment',
    url: 'https://html.spec.whatwg.org/multipage/browsing-the-web.html#scroll-to-fragid',
  },
  *checkSite({ fragments }) {
    for (const { page, target, fragment, isOwn, ...sources } of fragments) {
      const first = sources.first[0];
      if (first === undefined) continue;
      // scripts that were not run may create the place, or handle the click
      const isSure = !page.hasScripts || (page.rendered && !isOwn);
      // a layout has the same link on each of its pages: it is one thing, though each page is its own target
      const place = isOwn && target === page.url ? `#${fragment}` : `${target}#${fragment}`;
      yield {
        url: first.url,
        target: place,
        sources,
        message: `Link to ${place}: no element of the page has that id`,
        ...(isSure
          ? {}
          : { confidence: page.rendered ? ('medium' as const) : ('low' as const), severity: 'notice' as const }),
      };
    }
  },
};
