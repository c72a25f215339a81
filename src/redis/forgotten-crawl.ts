import { CrawlError } from '../base/errors.ts';

/** The error of a script that finds no state of its crawl: `FORGOTTEN`, and a key of it. */
const FORGOTTEN = /\bFORGOTTEN orbweaver:\{([\w-]+)/;

/** The error for a crawl that Redis knew when it was opened. @param crawl its id */
export function forgottenCrawl(crawl: string): CrawlError {
  return new CrawlError(
    'STATE_LOST',
    `Redis does not know the crawl ${crawl} any more: it was emptied, or has come back without its data, or with older data.\nBring its data back and resume, or crawl again with --overwrite.`,
    { data: { crawl } },
  );
}

/** The same for a script's error; null for every other error. */
export function saidForgotten({ message }: Error): CrawlError | null {
  const [, crawl] = FORGOTTEN.exec(message) ?? [];
  return crawl === undefined ? null : forgottenCrawl(crawl);
}
