import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { diskError } from './disk-error.ts';

/**
 * Writes a file so that it is there whole or not at all: a temporary name in the same folder, then a rename.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function writeWholeFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw diskError(error, path);
  }
}
