import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs';
import { diskError } from './disk-error.ts';

/**
 * Writes a file so that it is there whole or not at all: a temporary name in the same folder, then a rename.
 * By callbacks: two files of each page are written here, and a FileHandle costs half as much again as the writing.
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
