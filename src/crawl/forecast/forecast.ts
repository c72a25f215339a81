/** The forecast of a crawl, reckoned from sitemaps and a sample of pages. */
import type { CrawlPlan } from '../crawl-plan.ts';

/** The rule of robots.txt for a seed, and its host's delay. */
export interface SeedForecast {
  readonly url: string;
  readonly allowed: boolean;
  /** The line that decides, or why nothing could be learnt. */
  readonly robots: string;
  /** Milliseconds; null where robots.txt asks for none. */
  readonly crawlDelay: number | null;
  /** Milliseconds between two visits of its host. */
  readonly delay: number;
}

export interface SitemapForecast {
  /** Files that were read. */
  readonly files: number;
  /** Pages that they name. */
  readonly named: number;
  /** Those of them that are in scope and that robots.txt allows. */
  readonly pages: number;
  /** There are more files than were read. */
  readonly truncated: boolean;
}

/** The results of visiting a few pages. */
export interface SampleForecast {
  /** Pages; redirects are none. */
  readonly visited: number;
  readonly failed: number;
  /** Why no page could be had at all, in words; null where some were. */
  readonly cause: string | null;
  /** Nothing was left to visit: these are all pages that there are. */
  readonly complete: boolean;
  /** URLs that are known now and would be visited: the sample, and the targets of its links. */
  readonly known: number;
  /** Milliseconds that a visit takes, on average. */
  readonly visitTime: number;
  /** Bytes that a page leaves on the disk, on average: snapshots, and lines of the crawl folder. */
  readonly pageBytes: number;
}

/** `nothing`: no page could be had. `complete`: the sample is the whole site. `sitemap`: sitemaps name them. `links`: a sample's links; more come. */
type PagesBasis = 'nothing' | 'complete' | 'sitemap' | 'links';

export interface PagesForecast {
  readonly count: number;
  readonly basis: PagesBasis;
  /** There may be more: pages that no sitemap names, and links of pages that were not looked at. */
  readonly atLeast: boolean;
  /** A limit ends the crawl there. */
  readonly limited: boolean;
  /** The limit that ends it; null where none does. */
  readonly limitedBy: PageLimit['by'] | null;
}

/** Pages that a limit allows. */
export interface PageLimit {
  readonly by: 'limit' | 'host-limit' | 'size-limit';
  readonly pages: number;
}

export interface CrawlForecast {
  readonly plan: CrawlPlan;
  readonly seeds: readonly SeedForecast[];
  readonly sitemaps: SitemapForecast;
  readonly sample: SampleForecast;
  readonly pages: PagesForecast;
  /** Milliseconds. */
  readonly duration: { readonly time: number; readonly boundBy: 'delay' | 'workers' | 'rate-limit' | 'time-limit' };
  /** Bytes. */
  readonly disk: number;
  readonly notes: readonly string[];
}

/** @param limit the strictest one; null without any */
export function pagesForecast(
  sample: SampleForecast,
  sitemaps: SitemapForecast,
  limit: PageLimit | null,
): PagesForecast {
  if (sample.cause !== null) return { count: 0, basis: 'nothing', atLeast: false, limited: false, limitedBy: null };
  const found = Math.max(sample.known, sitemaps.pages);
  // a sitemap may name pages that no link leads to
  const basis: PagesBasis = sitemaps.pages > sample.known ? 'sitemap' : sample.complete ? 'complete' : 'links';
  if (limit !== null && limit.pages < found)
    return { count: limit.pages, basis, atLeast: false, limited: true, limitedBy: limit.by };
  return { count: found, basis, atLeast: basis !== 'complete', limited: false, limitedBy: null };
}

export interface Pace {
  readonly visitTime: number;
  readonly workers: number;
  /** The pause between two visits, and how many there may be at a time, for each host of the seeds. */
  readonly hosts: readonly { readonly delay: number; readonly slots: number }[];
  /** Milliseconds between two visits of any host; 0 without `--rate-limit`. */
  readonly spacing: number;
  readonly timeLimit: number | null;
}

/** The slowest bound decides: hosts that want pauses, workers, the rate limit; then the time limit. */
export function durationForecast(pages: number, pace: Pace): CrawlForecast['duration'] {
  const { visitTime, workers, hosts, spacing, timeLimit } = pace;
  const perHost = hosts.length === 0 ? 0 : pages / hosts.length;
  const byHost = Math.max(0, ...hosts.map(({ delay, slots }) => (perHost * (delay + visitTime)) / slots));
  const byWorkers = (pages * visitTime) / workers;
  const waits = hosts.some(({ delay, slots }) => delay > 0 || slots < workers);
  const bounds = [
    { time: byWorkers, boundBy: 'workers' },
    { time: pages * spacing, boundBy: 'rate-limit' },
    { time: waits ? byHost : 0, boundBy: 'delay' },
  ] as const;
  const slowest = bounds.reduce((longest, each) => (each.time > longest.time ? each : longest));
  if (timeLimit !== null && timeLimit < slowest.time) return { time: timeLimit, boundBy: 'time-limit' };
  return { time: Math.round(slowest.time), boundBy: slowest.boundBy };
}
