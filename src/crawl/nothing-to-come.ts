/** The last look before a crawl ends. */
import type { CrawlContext } from './crawl-context.ts';
import { allHaveHeard } from './fleet/lead-workers.ts';
import { feedLastSitemap } from './sitemap-feed.ts';
import type { VisitCommits } from './visit-commits.ts';

/**
 * Will nothing more be queued, where nothing is left to lease? False where a process has not heard of all results yet, and where a sitemap that was
 * held back is queued now.
 * @param onQueued called in that case
 */
export async function isNothingToCome(
  context: Pick<CrawlContext, 'fleet' | 'knowledge' | 'frontier' | 'sitemaps' | 'clock'>,
  commits: Pick<VisitCommits, 'look'>,
  onQueued: () => void,
): Promise<boolean> {
  if (!(await allHaveHeard(context, commits))) return false;
  const isQueued = await feedLastSitemap(context);
  await context.knowledge.publish([]);
  if (isQueued) onQueued();
  return !isQueued;
}
