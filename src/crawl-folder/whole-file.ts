import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs';
import { open, readdir, rename as renamed, rm as removed, stat, writeFile as written } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskError } from './disk-error.ts';
import { makeFolders } from './make-folders.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Writes a file so that it is there whole or not at all: a temporary name in the same folder, then a rename.
 * Uses callbacks: two files of each page are written here, and a FileHandle costs half as much again as the writing.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export function writeWholeFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  return new Promise((resolve, reject) => {
    const end = (error: Error | null): void => {
      if (error === null) resolve();
      else rm(temporary, { force: true }, () => reject(diskError(error, path)));
    };
    writeFile(temporary, content, { flag: 'wx', mode: 0o600 }, (error) => {
      if (error === null) rename(temporary, path, end);
      else end(error);
    });
  });
}

/**
 * Writes a file like {@link writeWholeFile}, so that after a loss of power it is there as well, or the one before. A rename is on the disk sooner than
 * what was written: some file systems (XFS) would leave an empty file.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function writeLastingFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renamed(temporary, path);
  } catch (error) {
    await removed(temporary, { force: true }).catch(() => {});
    throw diskError(error, path);
  }
  await syncFolder(dirname(path));
}

/**
 * Writes several files, and none of them where one cannot be written: all under temporary names first, then each gets its own. Missing folders are
 * made. An error between two renames, such as a removed disk, leaves files of both kinds, each of them whole.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function writeWholeFiles(
  files: readonly { readonly path: string; readonly content: string }[],
): Promise<void> {
  const made: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const { path, content } of files) {
      await writing(path, async () => {
        await makeFolders(dirname(path));
        if (await isFolder(path)) throw new Error('it is a folder');
        const temporary = `${path}.${randomUUID()}.tmp`;
        made.push({ temporary, path });
        await written(temporary, content, { flag: 'wx', mode: 0o600 });
      });
    }
    for (const { temporary, path } of made) await writing(path, () => renamed(temporary, path));
  } catch (error) {
    for (const { temporary } of made) await removed(temporary, { force: true });
    throw error;
  }
}

/** Temporary names, as made above. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Removes the unfinished files of killed programs from a folder, which no program may be writing in now. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (TEMPORARY.test(name)) await removed(join(folder, name), { force: true });
}

async function writing(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw diskError(error, path);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
