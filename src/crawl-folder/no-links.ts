/** Refuses links in a crawl folder, which may come from somebody else: the crawl would write elsewhere through them. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { diskError, systemCode } from './disk-error.ts';

/**
 * Refuses a folder in which a file or folder that the crawl goes on with is a link, a pipe, a device or the like.
 * @param names in the crawl folder that are written to
 * @throws {CrawlError} OUTPUT_UNUSABLE
 */
export async function refuseLinks(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    const found = await lstat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null;
      throw diskError(error, path);
    });
    if (found === null) continue;
    if (found.isDirectory()) await refuseInside(path);
    else if (!found.isFile()) throw strange(path);
  }
}

/** Looks into folders as deep as the crawl makes any: `state/appendonlydir`, `snapshots/3f`. */
async function refuseInside(folder: string, depth = 1): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw diskError(error, folder);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) await refuseInside(path, depth - 1);
    else if (!entry.isDirectory() && !entry.isFile() && !entry.isSocket()) throw strange(path);
  }
}

function strange(path: string): CrawlError {
  return new CrawlError(
    'OUTPUT_UNUSABLE',
    `${path} is a link or no ordinary file: the crawl would write elsewhere through it; nothing was touched\n` +
      'Put the file or folder itself in its place.',
    { data: { path } },
  );
}
