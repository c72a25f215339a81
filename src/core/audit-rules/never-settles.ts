import type { PageRule } from '../../model/audit-rule.ts';

export const neverSettles: PageRule = {
  id: 'never-settles',
  severity: 'notice',
  category: 'behaviour',
  about: 'layout',
  title: 'Page that does not come to rest',
  why: 'Something on the page goes on loading or changing, so that crawlers, tests and printers do not know when it is done.',
  fix: 'End requests that are waited for in vain, and stop timers that change nothing.',
  source: { name: 'Long tasks and idle periods (W3C)', url: 'https://www.w3.org/TR/requestidlecallback/' },
  *checkPage({ pending }) {
    if (pending === null) return;
    const [first] = pending;
    yield {
      // the crawler's machine may have been too busy
      confidence: 'medium',
      message: `The page was still busy when its time was up${first === undefined ? '' : `: ${first}`}`,
      ...(first === undefined ? {} : { evidence: { request: first } }),
    };
  },
};
