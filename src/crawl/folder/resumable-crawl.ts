/** Decides whether the crawl of a folder can go on, and with which limits. */
import { CrawlError } from '../../base/errors.ts';
import type { CrawlFile } from '../../crawl-folder/crawl-folder.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { limitToRaise } from '../summary/crawl-report.ts';
import type { LimitOption } from '../crawl.ts';

const LIMIT_WORDS: Readonly<Record<LimitOption, string>> = {
  limit: 'limit of pages',
  hostLimit: 'limit of pages of a host',
  sizeLimit: 'limit of bytes',
};

/**
 * Refuses a crawl that cannot go on. One that ended at a limit goes on beyond it, so that limit must be higher now; the time limit counts
 * for each run.
 * @param stored its crawl.json
 * @param options of the run to come
 * @throws {CrawlError} NOTHING_TO_RESUME, USAGE
 */
export function requireResumable(stored: CrawlFile, folder: string, options: Pick<ParsedOptions, LimitOption>): void {
  if (stored.state !== 'finished') return;
  const cure = 'Start another one with --overwrite or another --output.';
  if (stored.resumable !== true) {
    const why =
      stored.end === 'all-visited'
        ? 'there is nothing to resume'
        : 'nothing was left to visit then, or the state that it would go on from was not kept';
    throw new CrawlError('NOTHING_TO_RESUME', `the crawl in ${folder} has finished: ${why}\n${cure}`);
  }
  const reached = limitToRaise(stored.end ?? null, numbersOf(stored.options));
  if (reached === null) return;
  const { option, value } = reached;
  const now = options[option];
  if (now === undefined || now > value) return;
  throw new CrawlError(
    'USAGE',
    `the crawl in ${folder} ended at its ${LIMIT_WORDS[option]}, ${value}, and goes on only with a higher one\nGive more than ${value}.`,
    { data: { option } },
  );
}

/** The limits of crawl.json, which may come from somebody else. */
function numbersOf(options: CrawlFile['options']): Pick<ParsedOptions, LimitOption> {
  const number = (name: LimitOption): number | undefined => {
    const value = options[name];
    return typeof value === 'number' ? value : undefined;
  };
  return { limit: number('limit'), hostLimit: number('hostLimit'), sizeLimit: number('sizeLimit') };
}
