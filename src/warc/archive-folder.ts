/** The folder of an archive on disk: lists its files, and links or copies them into another folder. */
import { constants } from 'node:fs';
import { copyFile, link, readdir, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diskError, systemCode } from '../crawl-folder/disk-error.ts';
import { readWarcName, workerOfJournal } from './archive-names.ts';

/** Names of its ordinary files; links are left out, because they may lead anywhere. @throws the error of an unreadable folder */
export async function ordinaryFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Returns the same, or nothing where there is no folder. @throws {CrawlError} OUTPUT_UNUSABLE */
export async function filesIn(folder: string): Promise<readonly string[]> {
  return ordinaryFiles(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw diskError(error, folder);
  });
}

/** Workers with an index in a folder; in the crawl's own folder, those that wrote there and were not gathered. */
export function workersIn(names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => {
    const warc = readWarcName(name);
    return workerOfJournal(name) ?? (warc?.isOpen === true ? warc.worker : null) ?? [];
  });
  return [...new Set(found)];
}

/** Links a closed file, which is never written again, or copies it if the disk cannot link. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
}

/** The same for a file that is only read: it is never copied to another disk, which may be far smaller than an archive. */
export async function linkToRead(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => symlink(resolve(from), to));
}
