/** Makes a folder, and those above it that are missing; and takes back those that are empty. */
import { mkdir, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { systemCode } from './disk-error.ts';

/**
 * Makes a folder that only its owner can read. The recursive `mkdir` of Node tries without end, and cannot be stopped, where a parent is there
 * and the system yet says that it is not: so answer /proc, and the folders of an automounter.
 * @returns the topmost folder that was made; null where all were there
 * @throws {CrawlError} OUTPUT_UNUSABLE where the system makes none; errors of the system, see diskError
 */
export async function makeFolders(path: string): Promise<string | null> {
  try {
    return await madeFolder(path);
  } catch (error) {
    const parent = dirname(path);
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error;
    const made = await makeFolders(parent);
    return (await madeWithin(path)) === null ? made : (made ?? path);
  }
}

/** As {@link madeFolder}, of a folder whose parent is there. */
async function madeWithin(path: string): Promise<string | null> {
  try {
    return await madeFolder(path);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') throw cause;
    const words = `cannot write ${path}: the system makes no folders there\nGive a folder in another place.`;
    throw new CrawlError('OUTPUT_UNUSABLE', words, { cause, data: { code: 'ENOENT' } });
  }
}

/** Makes a folder whose parent is there. @returns its path; null where it was there. @throws errors of the system, see diskError */
export async function madeFolder(path: string): Promise<string | null> {
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (error) {
    // some systems say of a folder that is there that it may not be made
    if (systemCode(error) !== 'ENOENT' && (await stat(path).catch(() => null))?.isDirectory() === true) return null;
    throw error;
  }
}

/** Removes a folder and those above it, as long as they are empty: files of others stay. */
export async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; folder.length >= upTo.length; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
