import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlTotals } from '../crawl.ts';
import { writeAxeCatalogue } from './axe-file.ts';
import { writeCrawlFile } from './crawl-file.ts';

/** Writes the first files of a run. From its crawl.json on, a new crawl can be resumed, and keeps its state; the one that it replaces is gone. */
export async function beginFolder(context: CrawlContext, totals: CrawlTotals, signal: AbortSignal): Promise<void> {
  await writeAxeCatalogue(context);
  await writeCrawlFile(context, 'running', null, totals);
  await context.settleState('left');
  await context.forgetReplaced(signal);
}
