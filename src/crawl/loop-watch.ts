/** The watch over the main loop of a crawl. */
import { join } from 'node:path';
import type { MainLoopWatch } from '../system/main-loop-watch.ts';
import { openMainLoopWatch } from '../system/open-main-loop-watch.ts';
import type { Opening } from './opening.ts';

/** @param folder of the crawl: where the log is, and what says how the crawl stands */
export function openLoopWatch(
  folder: string,
  { environment, clock, log }: Pick<Opening, 'environment' | 'clock' | 'log'>,
): Promise<MainLoopWatch> {
  return openMainLoopWatch({
    clock,
    onStall: ({ length, during }) => log.warn('main loop stalled', { length: Math.round(length), during }),
    lastWords:
      environment.ownsProcess === true
        ? {
            log: join(folder, 'log.jsonl'),
            state: { path: join(folder, 'crawl.json'), change: { state: 'interrupted', end: 'interrupted' } },
          }
        : null,
  });
}
