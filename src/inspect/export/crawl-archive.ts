/** Finds the archive of a crawl; that of an interrupted crawl is made whole in a copy, as the crawl may go on with its own. */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { systemCode } from '../../crawl-folder/disk-error.ts';
import { notGathered } from '../../crawl-folder/not-gathered.ts';
import type { StoredCrawl } from '../../crawl-folder/stored-crawl.ts';
import { linkToRead, ordinaryFiles, workersIn } from '../../warc/archive-folder.ts';
import { ARCHIVE_FOLDER, INDEX_FILE, INDEX_JOURNAL, OPEN_SUFFIX } from '../../warc/archive-names.ts';
import { cdxjSort } from '../../warc/cdxj-sort.ts';
import { recoverArchive } from '../../warc/warc-recovery.ts';
import type { ArchiveFiles } from './archive-integrity.ts';
import { targetError } from './target-error.ts';
import { damagedArchive } from './warc-integrity.ts';

const WARC = /\.warc\.gz$/;

/**
 * @param scratch a folder that may be created for a copy, on the disk of the target
 * @throws {CrawlError} NOT_STORED where there is none, NOT_GATHERED, CRAWL_UNREADABLE where the crawl still runs, ARCHIVE_DAMAGED
 */
export async function openArchiveFiles(folder: string, crawl: StoredCrawl, scratch: string): Promise<ArchiveFiles> {
  const archive = join(folder, ARCHIVE_FOLDER);
  const names = await namesIn(archive);
  const isOpen = names.some(isOpenName);
  if (!isOpen && !names.some((name) => WARC.test(name))) {
    const message = `${folder} has no archive, which a WACZ file is made of\nCrawl with --snapshot warc to have one.`;
    throw new CrawlError('NOT_STORED', message, { data: { folder } });
  }
  const [worker] = workersIn(names);
  if (worker !== undefined && crawl.state !== 'running') throw notGathered(folder, worker, null);
  if (isOpen && crawl.state === 'running') {
    const message = `the archive of ${folder} is still written to: the crawl runs, or was killed\nWait for its end, stop it, or go on with it by resume.`;
    throw new CrawlError('CRAWL_UNREADABLE', message, { data: { folder } });
  }
  if (isOpen) return mendedCopy(archive, names, scratch);
  if (!names.includes(INDEX_FILE)) throw damagedArchive(INDEX_FILE, 0, 'there is no such file');
  return { folder: archive, warcs: names.filter((name) => WARC.test(name)).toSorted(), index: INDEX_FILE };
}

/** Does the crawl still write to its archive, or was it killed, so that only going on with it makes the archive whole? */
export async function isStillWritten(folder: string, { state }: StoredCrawl): Promise<boolean> {
  return state === 'running' && (await namesIn(join(folder, ARCHIVE_FOLDER))).some(isOpenName);
}

function isOpenName(name: string): boolean {
  return name.endsWith(OPEN_SUFFIX);
}

/** Names of the files of an archive; none where there is no archive. @throws {CrawlError} CRAWL_UNREADABLE */
async function namesIn(archive: string): Promise<readonly string[]> {
  return ordinaryFiles(archive).catch((error: unknown): readonly string[] => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw new CrawlError('CRAWL_UNREADABLE', `${archive} cannot be read: ${systemCode(error)}`, { cause: error });
  });
}

/** Links a closed file instead of copying it; copies one that is still open, which will be cut. */
async function mendedCopy(archive: string, names: readonly string[], scratch: string): Promise<ArchiveFiles> {
  try {
    await mkdir(scratch, { mode: 0o700 });
    for (const name of names) {
      if (WARC.test(name)) await linkToRead(join(archive, name), join(scratch, name));
      else if (name === INDEX_JOURNAL || name.endsWith(`.warc.gz${OPEN_SUFFIX}`)) {
        await copyFile(join(archive, name), join(scratch, name), constants.COPYFILE_FICLONE);
      }
    }
    await recoverArchive(scratch, () => {});
    await cdxjSort(scratch);
    const warcs = (await readdir(scratch)).filter((name) => WARC.test(name));
    return { folder: scratch, warcs: warcs.toSorted(), index: INDEX_FILE };
  } catch (error) {
    throw targetError(error, scratch);
  }
}
