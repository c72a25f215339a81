/** Makes a folder, and those above it that are missing. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './disk-error.ts';

/**
 * Makes a folder that only its owner can read. The recursive `mkdir` of Node tries without end, and cannot be stopped, where a parent is there
 * and the system yet says that it is not: so answer /proc, and the folders of an automounter.
 * @returns the topmost folder that was made; null where all were there
 */
export async function makeFolders(path: string): Promise<string | null> {
  try {
    return await madeFolder(path);
  } catch (error) {
    const parent = dirname(path);
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error;
    const made = await makeFolders(parent);
    return (await madeFolder(path)) === null ? made : (made ?? path);
  }
}

async function madeFolder(path: string): Promise<string | null> {
  try {
    await mkdir(path, { mode: 0o700 });
    return path;
  } catch (error) {
    // some systems say of a folder that is there that it may not be made
    if (systemCode(error) !== 'ENOENT' && (await stat(path).catch(() => null))?.isDirectory() === true) return null;
    throw error;
  }
}
