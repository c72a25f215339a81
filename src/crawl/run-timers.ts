/** Timers of a running crawl: they keep crawl.json up to date, and end the crawl at its time limit. */
import { seconds } from '../base/units.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { CrawlEnding } from './crawl-ending.ts';
import type { CrawlTotals } from './crawl.ts';
import { writeCrawlFile } from './folder/crawl-file.ts';

const CRAWL_FILE_EVERY = seconds(5);
/** The longest wait of a Node timer. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Runs until it is disposed. */
export function startTimers(context: CrawlContext, ending: CrawlEnding, totals: () => CrawlTotals): Disposable {
  const { timeLimit } = context.plan.options;
  const file = setInterval(() => {
    writeCrawlFile(context, 'running', null, totals()).catch((error: unknown) => ending.breakOff(error));
  }, CRAWL_FILE_EVERY);
  const limit =
    timeLimit === undefined
      ? undefined
      : setTimeout(() => ending.stop('time-limit'), Math.min(timeLimit, LONGEST_TIMER));
  return {
    [Symbol.dispose]: () => {
      clearInterval(file);
      clearTimeout(limit);
    },
  };
}
