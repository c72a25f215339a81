import type { PageRule } from '../../model/audit-rule.ts';

/** Words and links of a page below which a share says nothing. */
const FEW_WORDS = 50;
const FEW_LINKS = 10;
/** The document has less than this share of what the browser shows. */
const SHARE = 0.5;

export const contentNeedsJavascript: PageRule = {
  id: 'content-needs-javascript',
  severity: 'warning',
  category: 'behaviour',
  about: 'layout',
  needsDetails: true,
  title: 'Page that loses most of its text or its links without JavaScript',
  why: 'Readers whose scripts fail or are switched off, and most crawlers, see only what the server sends.',
  fix: 'Render the page on the server, or when it is built.',
  source: {
    name: 'Google Search Central: JavaScript SEO basics',
    url: 'https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics',
  },
  *checkPage({ details, rendered, words, linkCount, title }) {
    const received = details?.received ?? null;
    if (received === null || !rendered) return;
    const lost = [
      ...(words !== null && words >= FEW_WORDS && received.words < words * SHARE
        ? [`${received.words} of ${words} words`]
        : []),
      ...(linkCount >= FEW_LINKS && received.links < linkCount * SHARE
        ? [`${received.links} of ${linkCount} links`]
        : []),
      ...(title !== '' && received.title === '' ? ['no title'] : []),
    ];
    if (lost.length > 0) yield { message: `Without JavaScript the page has ${lost.join(', ')}` };
  },
};
