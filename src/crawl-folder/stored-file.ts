/** Reads a file below `snapshots/` of a crawl folder, which somebody else may have made: nothing outside of it is read. */
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { systemCode } from './disk-error.ts';
import { inStorage, mayHaveWorkers, storageOf } from './not-gathered.ts';

/**
 * @param name as pages.jsonl has it: relative to the crawl folder
 * @throws {CrawlError} CRAWL_UNREADABLE where it leads out of the snapshots, NOT_GATHERED where it lies in a storage, NOT_STORED where it is gone
 */
export async function readStoredFile(
  folder: string,
  name: string,
): Promise<{ readonly content: Uint8Array; readonly file: string }> {
  const file = resolve(join(folder, name));
  const strange = new CrawlError(
    'CRAWL_UNREADABLE',
    `pages.jsonl names ${JSON.stringify(name)}, which is no snapshot of the crawl`,
    { data: { folder } },
  );
  if (!isBelow(file, join(folder, 'snapshots'))) throw strange;
  try {
    // a folder that somebody else made may have links in it
    if (!isBelow(await realpath(file), await realpath(join(folder, 'snapshots')))) throw strange;
    return { content: await readFile(file), file };
  } catch (cause) {
    if (cause === strange) throw strange;
    const code = systemCode(cause);
    const elsewhere = code === 'ENOENT' ? await storageOf(folder) : null;
    if (elsewhere !== null) throw inStorage(folder, `${elsewhere}/${name}`);
    const why = code === 'ENOENT' ? await whyGone(folder) : `it cannot be read: ${code}`;
    throw new CrawlError('NOT_STORED', `the crawl kept it in ${name}, and ${why}`, { cause, data: { file } });
  }
}

async function whyGone(folder: string): Promise<string> {
  if (!(await mayHaveWorkers(folder))) return 'it is not there any more';
  return 'it is not there: if a worker has it on its own disk, orbweaver gather brings it';
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}${sep}`);
}
