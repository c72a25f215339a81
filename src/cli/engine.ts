/** The functions that the command line calls. The program has one engine; tests of the command line bring their own. */
import type { Log } from '../base/log.ts';
import type { CrawlEnvironment } from '../crawl/crawl-environment.ts';
import type { Crawl } from '../crawl/crawl.ts';
import type { CrawlForecast } from '../crawl/forecast/forecast.ts';
import type { WorkerOptions, WorkerSignals } from '../crawl/fleet/start-worker.ts';
import type { HandSignIn, HandSignInEnd } from '../crawl/sign-in/sign-in-by-hand.ts';
import type { StartOptions } from '../crawl/start-crawl.ts';
import type { CrawlOptions } from '../options/options.ts';
import type { LogLevel } from '../options/output-options.ts';
import type { ReplayServer } from '../replay/open-replay-server.ts';
import type { SiteServer, SiteServerOptions } from '../site-server/site-server.ts';

/** One thing that the program needs, and whether it is there. */
export interface MachineFinding {
  readonly name: string;
  readonly ok: boolean;
  /** One line or more. */
  readonly detail: string;
  /** The command that mends it, or makes it better where it is ok; null where there is none. */
  readonly cure: string | null;
}

export interface Engine {
  startCrawl(options: StartOptions, environment: CrawlEnvironment): Promise<Crawl>;
  /** @param changes the options that are given anew; the rest stands in the folder */
  resumeCrawl(folder: string, changes: Partial<StartOptions>, environment: CrawlEnvironment): Promise<Crawl>;
  forecastCrawl(options: CrawlOptions, environment: CrawlEnvironment, signal: AbortSignal): Promise<CrawlForecast>;
  /** Is it the folder of a crawl with an archive? */
  isRecordedCrawl(folder: string): Promise<boolean>;
  openReplayServer(folder: string, options: { readonly port: number }, log: Log): Promise<ReplayServer>;
  openSiteServer(folder: string, options: SiteServerOptions, log: Log): Promise<SiteServer>;
  /** @param browser as `--browser` takes it; null: the one that a crawl would find */
  diagnoseMachine(environment: CrawlEnvironment, browser: string | null): Promise<readonly MachineFinding[]>;
  /** Opens a window and waits until it is closed; its state is written. */
  signInByHand(how: HandSignIn, environment: CrawlEnvironment, signal: AbortSignal): Promise<HandSignInEnd>;
  /** Makes visits of crawls that others lead, until they end or the signals come. */
  startWorker(options: WorkerOptions, environment: CrawlEnvironment, signals: WorkerSignals): Promise<void>;
  /** The log on standard error, one JSON object on each line. @param secrets are not repeated in it */
  openLog(level: LogLevel, secrets: readonly string[]): Log & AsyncDisposable;
}
