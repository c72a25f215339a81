import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { writeFault } from '../base/write-fault.ts';

/** The system's code of an error (ENOSPC, EACCES…), or an empty string. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const REFUSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Did {@link diskError} find that this user may read there, and not write? */
export function isWriteRefused(error: unknown): boolean {
  return error instanceof CrawlError && REFUSED.has(String(error.data['code']));
}

/** Count of all inodes of a folder's file system, and of those that are free. @throws where there is no such folder */
export type CountInodes = (folder: string) => { readonly files: number; readonly ffree: number };

/** Does the disk lack inodes, and not space? `df` shows it as far from full then. A file system without such a limit has none in all. */
function lacksInodes(path: string, count: CountInodes): boolean {
  try {
    const { files, ffree } = count(dirname(path)); // the file itself may not be there
    return files > 0 && ffree === 0;
  } catch {
    return false;
  }
}

/** @param code the system's */
export function isFull(code: string): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The error for a disk that is full. @param cure what to do when there is room again, after a comma @param count left out: asks the system */
export function fullDisk(error: unknown, path: string, cure: string, count: CountInodes = statfsSync): CrawlError {
  const [what, first] = lacksInodes(path, count)
    ? ['the disk holds no more files (its inodes are used up)', 'Remove files there']
    : ['the disk is full', 'Free some space'];
  const data = { code: systemCode(error) };
  return new CrawlError('DISK_FULL', `${what}: ${path} could not be written\n${first}, ${cure}.`, {
    cause: error,
    data,
  });
}

/** A failed write, in words for a user. @param count left out: asks the system */
export function diskError(error: unknown, path: string, count: CountInodes = statfsSync): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = systemCode(error);
  if (isFull(code)) return fullDisk(error, path, 'then resume the crawl', count);
  if (code === 'ENOENT') {
    return new CrawlError(
      'OUTPUT_UNUSABLE',
      `cannot write ${path}: its folder is not there\nIf it was moved or removed meanwhile, put it back and resume, or crawl again.`,
      { cause: error, data: { code } },
    );
  }
  const cure = REFUSED.has(code) ? '\nGive another folder, or this user the right to write there.' : '';
  return new CrawlError('OUTPUT_UNUSABLE', `cannot write ${path}: ${writeFault(error)}${cure}`, {
    cause: error,
    data: { code },
  });
}
