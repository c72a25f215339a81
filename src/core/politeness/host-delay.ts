import type { Milliseconds } from '../../base/units.ts';

interface HostDelayRequest {
  /** The user's setting: the least time between two visits. */
  readonly configured: Milliseconds;
  /** The Crawl-delay of robots.txt; null where there is none. */
  readonly crawlDelay: Milliseconds | null;
  /** The most that the user grants to a Crawl-delay. */
  readonly maxCrawlDelay: Milliseconds;
}

interface HostDelay {
  /** Time from the end of a visit to the start of the host's next one. */
  readonly delay: Milliseconds;
  /** The host asked for more than it gets: the report says so. */
  readonly cut: boolean;
}

/** The longer of both delays wins: robots.txt can slow a crawl down, never hurry it beyond what the user configured. */
export function hostDelay({ configured, crawlDelay, maxCrawlDelay }: HostDelayRequest): HostDelay {
  if (crawlDelay === null || crawlDelay <= configured) return { delay: configured, cut: false };
  const granted = crawlDelay > maxCrawlDelay ? maxCrawlDelay : crawlDelay;
  return {
    delay: granted > configured ? granted : configured,
    cut: crawlDelay > maxCrawlDelay && crawlDelay > configured,
  };
}
