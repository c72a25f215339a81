import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of a folder, one line each, sorted: files with a digest of their bytes, folders with a slash. */
export async function folderTree(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const lines = names.map(async (name) => {
    const path = join(folder, name);
    const found = await lstat(path);
    if (found.isDirectory()) return `${name}/`;
    if (!found.isFile()) return `${name} (special)`;
    return `${name} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(lines)).toSorted();
}
