/** The folder of an archive on the disk: what is in it, and how its files come into another one. */
import { constants } from 'node:fs';
import { copyFile, link, readdir } from 'node:fs/promises';
import { diskError, systemCode } from '../crawl-folder/disk-error.ts';
import { readWarcName, workerOfJournal } from './archive-names.ts';

/** Names of its files: a link may lead anywhere. @throws the error of a folder that cannot be read */
export async function ordinaryFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** The same; none where there is no folder. @throws {CrawlError} OUTPUT_UNUSABLE */
export async function filesIn(folder: string): Promise<readonly string[]> {
  return ordinaryFiles(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw diskError(error, folder);
  });
}

/** Workers that have an index in a folder: in the crawl's own, those that wrote there and were not gathered. */
export function workersIn(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => {
    const warc = readWarcName(name);
    return workerOfJournal(name) ?? (warc?.isOpen === true ? warc.worker : null) ?? [];
  });
  return [...new Set(found)];
}

/** A closed file is never written to again: it is linked, where the disk can do that. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
}
