/** The threads in which texts of pages are read. None runs before the first text that is not small. */
import type { Log } from '../base/log.ts';
import { openOffload, type ThreadedOffload } from '../offload/open-offload.ts';
import type { CrawlEnvironment } from './crawl-environment.ts';

export function openTaskThreads({ cores }: Pick<CrawlEnvironment, 'cores'>, log: Log): ThreadedOffload {
  return openOffload({
    source: async () => (await import('./generated/tasks.ts')).SOURCE,
    cores,
    onGiveUp: (parser, { url, size }, { cause, detail }) =>
      log.warn('parser gave up', { url, parser, size, cause, detail }),
  });
}
