/** Starts and resumes crawls. */
import type { Log } from '../base/log.ts';
import { readCrawlFile } from '../crawl-folder/crawl-folder.ts';
import { parseOptions, type CrawlOptions } from '../options/options.ts';
import type { ExtensionDefinition } from '../pipeline/extension.ts';
import { currentEnvironment, type CrawlEnvironment } from './crawl-environment.ts';
import { planCrawl } from './crawl-plan.ts';
import type { Crawl } from './crawl.ts';
import { isStillLed, standBy } from './fleet/stand-by.ts';
import { extensionsOf } from './opening/load-extensions.ts';
import { openCrawlContext } from './opening/open-crawl-context.ts';
import { resumedOptions, withServedFolders } from './folder/resumed-options.ts';
import { runCrawl } from './running-crawl.ts';

export interface StartOptions extends CrawlOptions {
  /** Its abort drains the crawl: work under way is finished, the rest can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** Receives every log event, beside log.jsonl. */
  readonly log?: Log | undefined;
  /** Additions of the program to the crawl. They are not kept in the folder: pass them again to resume. */
  readonly extensions?: readonly ExtensionDefinition[] | undefined;
}

/**
 * Starts a crawl and returns as soon as it runs. The crawl is a resource: `await using` stops it when its scope is left.
 *
 * @example
 * await using crawl = await startCrawl({ seeds: ['https://example.org/'], limit: 100 });
 * for await (const event of crawl) if (event.kind === 'page') console.log(event.page.url, event.page.status);
 * const { totals } = await crawl.report();
 *
 * @throws {CrawlError} any reason that keeps it from starting; nothing was fetched then, and nothing written over
 */
export async function startCrawl(
  options: StartOptions,
  environment: CrawlEnvironment = currentEnvironment(),
): Promise<Crawl> {
  if (typeof options !== 'object' || options === null) parseOptions(options); // JavaScript may give a URL, or nothing: refuses either in words
  const { signal = new AbortController().signal, log = null, extensions: given = [], ...crawlOptions } = options;
  const parsed = parseOptions(crawlOptions);
  const extensions = await extensionsOf(parsed, given, environment.workingFolder);
  const plan = await planCrawl(parsed, environment, signal);
  for (let isFirst = true; ; isFirst = false) {
    const leader = await standBy(parsed, isFirst ? log : null, signal);
    try {
      return runCrawl(await openCrawlContext(plan, environment, { log, extensions, leader }, signal), signal);
    } catch (error) {
      if (leader === null || !isStillLed(error)) throw error;
      if (isFirst) log?.warn('standing by still', { error: error.message });
    }
  }
}

/**
 * Goes on with the crawl of a folder, with the options that it was started with and those that are given anew: headers, a browser
 * and a Redis of another machine are never taken from the folder.
 * @throws {CrawlError} NOTHING_TO_RESUME, STATE_LOST, and what {@link startCrawl} throws
 */
export async function resumeCrawl(
  folder: string,
  changes: Partial<StartOptions> = {},
  environment: CrawlEnvironment = currentEnvironment(),
): Promise<Crawl> {
  const { options, served = [] } = await readCrawlFile(folder);
  const { signal, log, extensions, ...given } = changes;
  const merged = resumedOptions(withServedFolders(options, served), given);
  const parsed = parseOptions({ seeds: [], ...merged, resume: true, overwrite: false, output: folder });
  return startCrawl({ ...parsed, signal, log, extensions }, environment);
}
