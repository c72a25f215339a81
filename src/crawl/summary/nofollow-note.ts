import type { CrawlTotals } from '../crawl.ts';

/**
 * The note for a site that is mostly reached by links that it asks not to follow; null elsewhere.
 * @param nofollow URLs in the scope that only such links lead to
 */
export function nofollowNote(nofollow: number, { visited, failed, queued }: CrawlTotals): string | null {
  const others = visited + failed + queued;
  if (nofollow <= others) return null;
  const of = `${nofollow.toLocaleString('en-US')} of ${(nofollow + others).toLocaleString('en-US')} URLs`;
  return `${of} were left because only nofollow links lead to them: --follow-nofollow follows these, and robots.txt stays obeyed`;
}
