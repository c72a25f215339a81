/** Files of a crawl folder that lack all their lines, as after a copy in part: what is read without them would look as if it were whole. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { systemCode } from './disk-error.ts';
import type { StoredCrawl } from './stored-crawl.ts';

/**
 * Refuses the folder of a crawl that has ended, and has not all its growing files. A crawl that runs has no totals to compare with.
 * @throws {CrawlError} CRAWL_UNREADABLE
 */
export async function refuseMissingLines(
  folder: string,
  { state, totals }: Pick<StoredCrawl, 'state' | 'totals'>,
): Promise<void> {
  if (totals === null) return;
  const pages = totals.visited + totals.failed;
  const files: readonly (readonly [name: string, lines: number, of: string])[] = [
    ['pages.jsonl', pages, 'pages'],
    // those that may yet be visited are not written where a crawl was interrupted
    ['skipped.jsonl', state === 'finished' ? totals.skipped : 0, 'skipped URLs'],
    ['links.jsonl', 0, 'links'], // not counted in crawl.json, and empty where no page has one
  ];
  for (const [name, lines, of] of files) {
    const size = await sizeOf(join(folder, name));
    if (size === null ? pages > 0 : size === 0 && lines > 0) {
      const lack = size === null ? `${name} is missing in ${folder}` : `${name} in ${folder} is empty`;
      throw new CrawlError(
        'CRAWL_UNREADABLE',
        `${lack}, so that nothing is known of the ${of} of this crawl\n` +
          'Bring the file back from where the crawl was made, or crawl again: `orbweaver verify` says what else is missing.',
        { data: { folder } },
      );
    }
  }
}

/** Bytes; null where there is no such file. One that cannot be looked at is left to its reader. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : Number.NaN;
  }
}
