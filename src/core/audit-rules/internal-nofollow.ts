import type { PageRule } from '../../model/audit-rule.ts';
import { isNamedAsFile } from './named-file.ts';

/** Parameters of actions, and of lists in another order or choice: Google advises nofollow for filters. */
const ACTION =
  /[?&;](?:add[-_]to[-_]\w+|remove_item|replytocom|redirect_to|action|act|do|cmd|op|task|order(?:by)?|sort(?:by|_?order)?|filter\w*|m(?:in|ax)_price|rating_filter|f%5B\d+%5D)=/i;
/** Paths of pages for one reader alone. */
const PRIVATE = /\/(?:wp-login\.php|log-?in|sign-?in|sign-?up|register|cart|basket|checkout)\/?$/i;

export const internalNofollow: PageRule = {
  id: 'internal-nofollow',
  severity: 'notice',
  category: 'links',
  about: 'target',
  title: 'Link inside the site with rel=nofollow',
  why: 'It tells search engines not to go where the site itself leads its readers; what is not meant for them needs noindex or robots.txt.',
  fix: 'Remove nofollow from links to pages that are to be found.',
  source: {
    name: 'Google Search Central: qualify outbound links',
    url: 'https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links',
  },
  *checkPage({ url, nofollow, robots }) {
    // then robots follow none of its links, with rel=nofollow or without
    if (robots.includes('nofollow') || robots.includes('none')) return;
    for (const { to, selector, text } of nofollow) {
      // a place in the page itself, as the link that ends a reply has it: nobody goes anywhere
      if (to === url || !isToBeFound(to)) continue;
      yield {
        target: to,
        message: `Link to ${to} with rel=nofollow`,
        evidence: { selector },
        sources: { count: 1, first: [{ url, selector, text }] },
      };
    }
  },
};

function isToBeFound(address: string): boolean {
  const local = address.replace(/^https?:\/\/[^/]*/, '');
  // a file is not meant to be listed anyway
  return !isNamedAsFile(address) && !ACTION.test(local) && !PRIVATE.test(local.split(/[?#]/, 1)[0] ?? '');
}
