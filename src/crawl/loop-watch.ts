/** The watch over the main loop of a crawl. */
import { join } from 'node:path';
import type { MainLoopWatch } from '../base/process/main-loop-watch.ts';
import { openMainLoopWatch } from '../base/process/open-main-loop-watch.ts';
import type { ContextParts } from './opening/context-parts.ts';

/**
 * @param folder of the crawl, where the log is. A program that is ended leaves crawl.json at `running`: the next run then knows that it
 *   died, and counts that against the pages that were under way (frontier/lua/reap.lua)
 */
export function openLoopWatch(
  folder: string,
  { environment, clock, log }: Pick<ContextParts, 'environment' | 'clock' | 'log'>,
): Promise<MainLoopWatch> {
  return openMainLoopWatch({
    clock,
    onStall: ({ length, during }) => log.warn('main loop stalled', { length: Math.round(length), during }),
    lastWords: environment.ownsProcess === true ? { log: join(folder, 'log.jsonl') } : null,
  });
}
