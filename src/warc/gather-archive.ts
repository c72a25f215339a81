/**
 * Merges the archives of workers into that of their crawl: their WARC files beside its own, and one index over all. From a file that was still
 * open when its worker was killed, the whole records are taken.
 *
 * A kill is possible after any step: files are put in place first, under their names; then the journal with all lines is put in place at once; then
 * the index is sorted from it; and last, everything that workers left in the crawl folder is removed. Gathered again, a worker's lines
 * replace the earlier ones.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { linesHolding } from '../crawl-folder/crawl-lines.ts';
import { diskError, systemCode } from '../crawl-folder/disk-error.ts';
import { syncFolder } from '../crawl-folder/sync-folder.ts';
import { filesIn, linkOrCopy, workersIn } from './archive-folder.ts';
import {
  ARCHIVE_FOLDER,
  bodyFolderName,
  INDEX_FILE,
  INDEX_JOURNAL,
  journalName,
  OPEN_SUFFIX,
  readWarcName,
} from './archive-names.ts';
import { cdxjSort } from './cdxj-sort.ts';
import { syncFile } from './file-handle.ts';
import { LINE_PLACE, recoverArchive } from './warc-recovery.ts';

/** The archive of one worker. */
interface WorkerArchive {
  /** Path of the folder with its files. */
  readonly folder: string;
  readonly worker: string;
}

interface GatheredArchive {
  /** Number of WARC files copied, and their bytes. */
  readonly copied: number;
  readonly bytes: number;
  /** Number of WARC files that were already in place. */
  readonly there: number;
}

/** Working folder; contents found in it are left from a killed gathering. */
const SCRATCH = '.gathered';

interface ArchiveSources {
  /** Folders of workers, by worker name. */
  readonly workers: ReadonlyMap<string, string>;
  /** Also gather workers that wrote into the crawl folder itself? Not while any of them may still be at work. */
  readonly inPlace: boolean;
}

/**
 * @param folder the crawl folder; no other process may write an index in it
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function gatherArchive(folder: string, { workers, inPlace }: ArchiveSources): Promise<GatheredArchive> {
  const archive = join(folder, ARCHIVE_FOLDER);
  const sources: WorkerArchive[] = [];
  for (const [worker, path] of workers) {
    const from = join(path, ARCHIVE_FOLDER);
    if (workersIn(await filesIn(from)).includes(worker)) sources.push({ folder: from, worker });
  }
  const own = inPlace ? workersIn(await filesIn(archive)) : [];
  sources.push(...own.map((worker) => ({ folder: archive, worker })));
  if (sources.length === 0) return { copied: 0, bytes: 0, there: 0 };
  const scratch = join(archive, SCRATCH);
  try {
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const gathered: GatheredArchive[] = [];
    for (const source of sources) gathered.push(await takeFiles(source, { archive, scratch }));
    await writeIndex(archive, scratch, sources);
    for (const worker of own) await removeOwn(archive, worker);
    return {
      copied: gathered.reduce((sum, { copied }) => sum + copied, 0),
      bytes: gathered.reduce((sum, { bytes }) => sum + bytes, 0),
      there: gathered.reduce((sum, { there }) => sum + there, 0),
    };
  } catch (error) {
    throw diskError(error, archive);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Places {
  readonly archive: string;
  readonly scratch: string;
}

/** Takes the WARC files; leaves the worker's index lines, repaired, in the working folder. */
async function takeFiles({ folder, worker }: WorkerArchive, { archive, scratch }: Places): Promise<GatheredArchive> {
  let [copied, bytes, there] = [0, 0, 0];
  const made: string[] = [];
  for (const name of await filesIn(folder)) {
    const warc = readWarcName(name);
    if (warc?.worker !== worker) {
      if (name === journalName(worker)) await copyFile(join(folder, name), join(scratch, name));
    } else if (warc.isOpen) {
      await copyFile(join(folder, name), join(scratch, name), constants.COPYFILE_FICLONE);
      made.push(name.slice(0, -OPEN_SUFFIX.length));
    } else if ((await sizeOf(join(folder, name))) === (await sizeOf(join(archive, name)))) {
      there += 1;
    } else {
      await linkOrCopy(join(folder, name), join(scratch, name));
      made.push(name);
    }
  }
  await recoverArchive(scratch, () => {}, worker);
  for (const name of made) {
    const size = await sizeOf(join(scratch, name));
    if (size === null) continue; // the file had no whole record
    if (size === (await sizeOf(join(archive, name)))) {
      there += 1;
      continue;
    }
    await syncFile(join(scratch, name));
    await rename(join(scratch, name), join(archive, name));
    [copied, bytes] = [copied + 1, bytes + size];
  }
  await syncFolder(archive);
  return { copied, bytes, there };
}

/** Writes one journal of all lines, and sorts the index from it if the crawl has a sorted one. */
async function writeIndex(archive: string, scratch: string, sources: readonly WorkerArchive[]): Promise<void> {
  const names = await filesIn(archive);
  const isSorted = names.includes(INDEX_FILE) || !names.includes(INDEX_JOURNAL);
  const before = names.includes(INDEX_JOURNAL) ? INDEX_JOURNAL : INDEX_FILE;
  const path = join(scratch, INDEX_JOURNAL);
  const workers = new Set(sources.map(({ worker }) => worker));
  const journal = await open(path, 'wx', 0o600);
  try {
    // workers' lines come first: a resumed crawl trusts no lines after those of bytes lost in a kill
    for (const worker of workers)
      await appendLines(journal, join(scratch, journalName(worker)), await fitting(archive, worker));
    if (names.includes(before))
      await appendLines(journal, join(archive, before), (line) => !workers.has(workerOfLine(line) ?? ''));
  } finally {
    await journal.close();
  }
  await syncFile(path);
  await rename(path, join(archive, INDEX_JOURNAL));
  await syncFolder(archive);
  if (isSorted) await cdxjSort(archive);
}

/** Does a line name an existing record of the worker? The folder may be foreign. */
async function fitting(archive: string, worker: string): Promise<(line: string) => boolean> {
  const sizes = new Map<string, number>();
  for (const name of await filesIn(archive)) {
    const size = readWarcName(name)?.worker === worker ? await sizeOf(join(archive, name)) : null;
    if (size !== null) sizes.set(name, size);
  }
  return (line) => {
    const [, length, offset, name = ''] = LINE_PLACE.exec(line) ?? [];
    return Number(offset) + Number(length) <= (sizes.get(name) ?? -1);
  };
}

function workerOfLine(line: string): string | null {
  return readWarcName(LINE_PLACE.exec(line)?.[3] ?? '')?.worker ?? null;
}

/** Lines written at once. */
const TOGETHER = 256;

async function appendLines(to: FileHandle, from: string, takes: (line: string) => boolean): Promise<void> {
  if ((await sizeOf(from)) === null) return;
  let held: string[] = [];
  const write = async (): Promise<void> => {
    await to.writeFile(held.join(''), 'latin1');
    held = [];
  };
  for await (const { text, torn } of linesHolding(from, '')) {
    if (torn || !takes(text)) continue;
    held.push(`${text}\n`);
    if (held.length >= TOGETHER) await write();
  }
  await write();
}

/** Removes everything that a worker left in the crawl folder beside its WARC files. */
async function removeOwn(archive: string, worker: string): Promise<void> {
  for (const name of await filesIn(archive)) {
    const warc = readWarcName(name);
    if (name === journalName(worker) || (warc?.worker === worker && warc.isOpen)) await rm(join(archive, name));
  }
  await rm(join(archive, bodyFolderName(worker)), { recursive: true, force: true });
}

/** Size of a file; null where it does not exist. */
async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
}
