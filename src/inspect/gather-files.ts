/**
 * Brings together the files that workers kept on their own disks: snapshots and archives go into the crawl folder, where pages.jsonl names them, and
 * logs beside its own.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import { lockCrawlFolder, readCrawlFile } from '../crawl-folder/crawl-folder.ts';
import { diskError, systemCode } from '../crawl-folder/disk-error.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import { removeUnfinished } from '../crawl-folder/whole-file.ts';
import { ARCHIVE_FOLDER } from '../warc/archive-names.ts';
import { gatherArchive } from '../warc/gather-archive.ts';
import { isSnapshotName } from './snapshot-name.ts';

/** Names the crawl that the files of a worker belong to. */
export const WORKER_FILE = 'worker.json';

const workerFile = z.object({ crawl: z.string().max(60), worker: z.string().regex(/^w-[a-z0-9-]{1,40}$/) });

const SHARD = /^[0-9a-f]{2}$/;

interface Gathered {
  readonly workers: number;
  /** Files that were copied. */
  readonly copied: number;
  readonly bytes: number;
  /** Files that were already there under the same name, and as new. */
  readonly there: number;
}

/**
 * Copies files of workers, which keep theirs; but archives that they wrote into the crawl folder itself become part of its own. Of two files
 * of one name the later one is taken: a worker that lost its lease may have left one of a visit that does not count. A second call changes
 * nothing.
 * @param folder the crawl folder; @param workers folders of workers
 * @throws {CrawlError} NOTHING_TO_RESUME, CRAWL_UNREADABLE, OUTPUT_IN_USE, OUTPUT_UNUSABLE, DISK_FULL; USAGE where a folder is no worker's, or another crawl's
 */
export async function gatherFiles(folder: string, workers: readonly string[]): Promise<Gathered> {
  const { id, state } = await readCrawlFile(folder);
  const named = [];
  for (const path of workers) named.push({ path, name: await workerOf(path, id) });
  await using _lock = await lockCrawlFolder(folder);
  await refuseLinks(folder, ['snapshots', ARCHIVE_FOLDER, ...named.map(({ name }) => `log-${name}.jsonl`)]);
  // processes of a crawl that runs may be writing some now
  if (state !== 'running') await removeHalfCopied(folder);
  let [copied, bytes, there] = [0, 0, 0];
  for (const { path, name } of named) {
    await refuseLinks(path, ['snapshots', ARCHIVE_FOLDER, 'log.jsonl']);
    for await (const file of snapshotsIn(path)) {
      const size = await copyNewer(join(path, file), join(folder, file));
      if (size === null) there += 1;
      else [copied, bytes] = [copied + 1, bytes + size];
    }
    await copyNewer(join(path, 'log.jsonl'), join(folder, `log-${name}.jsonl`));
  }
  const archives = new Map(named.map(({ path, name }) => [name, path]));
  // a controller that was killed leaves workers behind, which may write on under the next one
  const archive = await gatherArchive(folder, { workers: archives, inPlace: state !== 'running' });
  return {
    workers: named.length,
    copied: copied + archive.copied,
    bytes: bytes + archive.bytes,
    there: there + archive.there,
  };
}

/** The name of the worker whose folder it is. @throws {CrawlError} USAGE */
async function workerOf(path: string, crawl: string): Promise<string> {
  const text = await readFile(join(path, WORKER_FILE), 'utf8').catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') throw diskError(error, path);
    return '';
  });
  const read = workerFile.safeParse(parsedJson(text));
  if (!read.success)
    throw new CrawlError(
      'USAGE',
      `${path} is no folder of a worker: it holds no ${WORKER_FILE}\nGive the crawl folder first, then those of the workers.`,
    );
  if (read.data.crawl === crawl) return read.data.worker;
  throw new CrawlError('USAGE', `${path} belongs to the crawl ${read.data.crawl}, and the crawl folder holds ${crawl}`);
}

/** Removes what a killed gathering has left half copied. */
async function removeHalfCopied(folder: string): Promise<void> {
  await removeUnfinished(folder);
  for (const shard of await shardsIn(folder)) await removeUnfinished(join(folder, 'snapshots', shard));
}

async function shardsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(join(folder, 'snapshots'))).filter((name) => SHARD.test(name));
}

async function* snapshotsIn(folder: string): AsyncIterable<string> {
  for (const shard of await shardsIn(folder)) {
    for (const name of await namesIn(join(folder, 'snapshots', shard))) {
      const path = `snapshots/${shard}/${name}`;
      if (isSnapshotName(path)) yield path;
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw diskError(error, folder);
  });
}

/** Milliseconds, to which the time set on a copy is rounded. */
const TIME_STEP = 1;

/** @returns how many bytes were copied; null where there is no file to copy, or the target is as new */
async function copyNewer(from: string, to: string): Promise<number | null> {
  const [source, target] = await Promise.all([statOf(from), statOf(to)]);
  if (source === null || (target !== null && target.mtimeMs >= source.mtimeMs - TIME_STEP)) return null;
  const temporary = `${to}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    await utimes(temporary, source.atime, source.mtime);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw diskError(error, to);
  }
  return source.size;
}

async function statOf(path: string): Promise<Stats | null> {
  return lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw diskError(error, path);
  });
}
