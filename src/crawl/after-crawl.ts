/** Work after the last visit, once crawl.json says that the crawl has ended: for later questions, and for audits. */
import { buildLinkIndex } from '../inspect/link-index.ts';
import type { CrawlContext } from './crawl-context.ts';
import { measurePages } from './measure/measure-pages.ts';

/** Never rejects. @param signal aborted where the user stops the crawl here, or there is no room */
export async function afterCrawl(context: CrawlContext, signal: AbortSignal): Promise<void> {
  const { folder, description, log } = context;
  await measurePages(context, signal);
  // if it is not built, the first question about links builds it
  await buildLinkIndex({ folder: folder.path, seeds: description.seeds }, signal).catch((error: unknown) =>
    log.warn('the links were not indexed', { error: String(error) }),
  );
}
