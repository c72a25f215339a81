import { counted } from '../base/count-words.ts';
import type { StoredCrawl } from '../crawl-folder/stored-crawl.ts';

/** That a crawl has ended before it had visited everything, in words; null where it had, and for one that has not ended. */
export function leftQueued({ state, resumable, totals }: StoredCrawl): string | null {
  if (state !== 'finished' && state !== 'failed') return null;
  const queued = totals?.queued ?? 0;
  // at a limit of hosts, or with sitemaps that were not read, nothing is queued
  const isAtLimit = state === 'finished' && resumable;
  if (queued === 0 && !isAtLimit) return null;
  const left = queued === 0 ? 'something left to visit' : `${counted(queued, 'URL')} still queued`;
  return `the crawl ended ${state === 'finished' ? 'at a limit' : 'early'} with ${left}`;
}
