import type { PageRule } from '../../model/audit-rule.ts';

export const missingViewport: PageRule = {
  id: 'missing-viewport',
  severity: 'warning',
  category: 'documents',
  about: 'layout',
  title: 'Page that does not fit small screens',
  why: 'Without a viewport, browsers of phones lay the page out as on a desktop and shrink it until nobody can read it.',
  fix: 'Add <meta name="viewport" content="width=device-width, initial-scale=1">.',
  source: { name: 'CSS Viewport Module (W3C)', url: 'https://www.w3.org/TR/css-viewport-1/' },
  *checkPage({ viewport }) {
    if (viewport === null) yield { message: 'The page has no viewport meta element' };
    else if (!/\bwidth\s*=|initial-scale\s*=/i.test(viewport)) {
      yield {
        thing: viewport,
        message: `The viewport says no width: ${JSON.stringify(viewport)}`,
        evidence: { snippet: viewport },
      };
    }
  },
};
