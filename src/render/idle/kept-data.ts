import { parsedUrl } from '../../base/parsed-url.ts';
import { orNothing } from '../extract/collect.ts';
import type { WarmPage } from '../page/warm-page.ts';

const KEPT: ReadonlySet<string> = new Set(['indexeddb', 'cache_storage', 'file_systems']);

/**
 * Does the page's origin keep data in the browser, in databases, caches or files? Another process reads and writes them, and a page that begins
 * with them, such as one that looks for its user there, goes on by the real clock.
 * @param url of the document
 */
export async function keepsData(page: WarmPage, url: string, signal: AbortSignal): Promise<boolean> {
  const origin = parsedUrl(url)?.origin ?? 'null';
  if (origin === 'null') return false;
  // answered by the browser's own process: the page's answers nothing while its clock stands still
  const asked = page.session.send('Storage.getUsageAndQuota', { origin });
  const answer = await orNothing(page.within(asked, 'the data of the origin', signal), page, signal);
  return answer?.usageBreakdown.some(({ storageType, usage }) => usage > 0 && KEPT.has(storageType)) ?? false;
}
