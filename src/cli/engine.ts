/** What the command line sets in motion. The program has one engine; tests of the command line bring their own. */
import type { Log } from '../base/log.ts';
import type { Crawl } from '../crawl/crawl.ts';
import type { CrawlEnvironment } from '../crawl/environment.ts';
import type { CrawlOptions } from '../crawl/options.ts';
import type { SiteServer, SiteServerOptions } from '../site-server/site-server.ts';

/** What a crawl would do. */
export interface CrawlPlan {
  readonly seeds: readonly string[];
  /** Absolute path. */
  readonly folder: string;
  /** The scope, one rule in words each. */
  readonly scopeWords: readonly string[];
  /** Milliseconds. */
  readonly delay: number;
  readonly workers: number;
  readonly userAgent: string;
  readonly browser: string;
  readonly redis: string;
}

/** One thing that the program needs, and whether it is there. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** The command that mends it; null where nothing is to mend. */
  readonly cure: string | null;
}

/** How `resume` runs: the rest stands in the crawl folder. */
export type ResumeOptions = Pick<CrawlOptions, 'redis' | 'browser' | 'logLevel'>;

/** The crawl's environment and what the command line adds to it. */
export type EngineEnvironment = CrawlEnvironment & { readonly log?: Log };

export interface Engine {
  startCrawl(options: CrawlOptions, environment: EngineEnvironment): Promise<Crawl>;
  resumeCrawl(folder: string, options: ResumeOptions, environment: EngineEnvironment): Promise<Crawl>;
  describeCrawl(options: CrawlOptions, environment: EngineEnvironment): Promise<CrawlPlan>;
  openSiteServer(folder: string, options: SiteServerOptions, log: Log): Promise<SiteServer>;
  diagnoseMachine(environment: EngineEnvironment): Promise<readonly Finding[]>;
}
