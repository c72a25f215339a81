import type { Log } from '../base/log.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { CrawlEnd } from './crawl.ts';

/** Records in the frontier that the crawl is to end, so that pages under way are not blamed for it. Never rejects; the end does not wait for it. */
export function noteStop(
  { frontier, log }: { readonly frontier: Pick<Frontier, 'stopping'>; readonly log: Log },
  end: CrawlEnd,
): void {
  frontier.stopping().then(
    () => log.info('stop is noted', { end }),
    (error: unknown) => log.warn('stop was not noted', { error: String(error) }),
  );
}
