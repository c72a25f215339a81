/** The facet of pages: those that came, went, moved and failed. */
import { differenceRule, type DifferenceRule } from './facet.ts';
import type { Unseen } from './standings.ts';

export const REMOVED_PAGE: DifferenceRule = differenceRule({
  id: 'removed-page',
  severity: 'error',
  category: 'site',
  about: 'page',
  title: 'Page or file that is not there any more',
  why: 'Readers and other sites who have its address come to nothing.',
  fix: 'Bring it back, or redirect its address to what has taken its place; if it was meant, approve it.',
});

export const ADDED_PAGE: DifferenceRule = differenceRule({
  id: 'added-page',
  severity: 'notice',
  category: 'site',
  about: 'page',
  title: 'Page or file that was not there before',
  why: 'Nobody has approved it yet.',
});

export const MOVED_PAGE: DifferenceRule = differenceRule({
  id: 'moved-page',
  severity: 'warning',
  category: 'site',
  about: 'page',
  title: 'Page or file at another address',
  why: 'Its content is the same, and readers with the old address need to be sent there.',
  fix: 'Let the old address redirect to the new one, for good.',
});

export const FAILED_PAGE: DifferenceRule = differenceRule({
  id: 'failed-page',
  severity: 'error',
  category: 'site',
  about: 'page',
  title: 'Page or file that could not be fetched this time',
  why: 'It is not known to be removed: its server refused, failed, or was too slow. Nothing else is said of it.',
  fix: 'Open it in a browser; if it answers there, crawl again.',
});

export const PAGE_RULES: readonly DifferenceRule[] = [REMOVED_PAGE, ADDED_PAGE, MOVED_PAGE, FAILED_PAGE];

const WORDS: Readonly<Record<Unseen, string>> = {
  failed: 'named by pages that failed',
  cut: 'not reached before the crawl ended',
  beyond: 'behind others that were not seen',
  'disallowed-by-robots': 'forbidden by robots.txt',
  depth: 'beyond --depth',
  limit: 'beyond what is read of sitemaps',
  'host-limit': 'beyond --host-limit',
  'out-of-scope': 'out of the scope',
  trap: 'taken for a trap (endless URLs)',
  nofollow: 'linked with nofollow only',
  duplicate: 'linked from duplicates only',
  'duplicate-query': 'the same as other pages but for parameters that change nothing',
  'unsupported-scheme': 'no http(s) URL',
  'too-long': 'with a URL that is too long',
  'blocked-address': 'at a private address',
  'low-confidence': 'named by speculative links only',
  'signs-out': 'taken for the end of the sign-in',
  acts: 'taken for a change of the site',
  probe: 'asked for only to see how the host answers',
};

/** The reason why pages were not seen, in words that fit one and many. */
export function unseenWords(reason: Unseen): string {
  return WORDS[reason];
}
