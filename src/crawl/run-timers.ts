/** Timers of a running crawl: they keep crawl.json up to date, and end the crawl at its time limit. */
import { startLongTimer } from '../base/long-timer.ts';
import { milliseconds, seconds } from '../base/units.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { CrawlEnding } from './crawl-ending.ts';
import type { CrawlTotals } from './crawl.ts';
import { writeCrawlFile } from './folder/crawl-file.ts';

const CRAWL_FILE_EVERY = seconds(5);

/** Runs until it is disposed. */
export function startTimers(context: CrawlContext, ending: CrawlEnding, totals: () => CrawlTotals): Disposable {
  const { timeLimit } = context.plan.options;
  const file = setInterval(() => {
    writeCrawlFile(context, 'running', null, totals()).catch((error: unknown) => ending.breakOff(error));
  }, CRAWL_FILE_EVERY);
  const limit =
    timeLimit === undefined ? null : startLongTimer(milliseconds(timeLimit), () => ending.stop('time-limit'));
  return {
    [Symbol.dispose]: () => {
      clearInterval(file);
      limit?.[Symbol.dispose]();
    },
  };
}
