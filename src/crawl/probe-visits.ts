/** Asks a host for a URL that nobody has named (core/traps/probe-url.ts), as politely as for a page. It is no page of the crawl. */
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { CrawlContext } from './crawl-context.ts';

/**
 * @param draining aborts when nothing new is to begin
 * @returns asks within the visit of a page of the same host, whose lease is out: no other visit is made meanwhile where the host has
 *   one at a time. Null where robots.txt forbids it, or it cannot be now
 */
export function probeVisits(
  { gate, politeness, clock, loadPage, log }: Pick<CrawlContext, 'gate' | 'politeness' | 'clock' | 'loadPage' | 'log'>,
  draining: AbortSignal,
): (url: CanonicalUrl, visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null> {
  return async (url, visit, signal) => {
    try {
      const verdict = await gate.verdict(url, signal);
      if (verdict.kind !== 'allowed') return null;
      await clock.sleep(politeness.delayOf(visit.host, verdict.crawlDelay), AbortSignal.any([signal, draining]));
      const outcome = await loadPage({ ...visit, url }, signal);
      log.info('soft-404 probe fetched', { url, outcome: outcome.kind });
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      log.debug('soft-404 probe not fetched', { url, error: String(error) });
      return null;
    }
  };
}
