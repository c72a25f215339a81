import { lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { writeFault } from '../base/write-fault.ts';

/** The system's code of an error (ENOSPC, EACCES…), or an empty string. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const REFUSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

const GIVE_THE_RIGHT = '\nGive another folder, or this user the right to write there.';

/** What to do about a folder that takes no files, by the system's code. */
const CURES: Readonly<Record<string, string>> = {
  EACCES: GIVE_THE_RIGHT,
  EPERM: GIVE_THE_RIGHT,
  EROFS: '\nMount it for writing, or give another folder.',
  ELOOP: '\nGive another folder.',
  ENAMETOOLONG: '\nGive another folder.',
};

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

/** What has the name of a folder that could not be made; null for a name that is free, as after a removal meanwhile, or a folder's. */
function inTheWay(error: unknown): string | null {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return null;
  const there = lstatSync(error.path, { throwIfNoEntry: false });
  if (there === undefined || there.isDirectory()) return null;
  return there.isSymbolicLink()
    ? `${error.path} is a link to a folder that is not there\nMake that folder, or give another one.`
    : `${error.path} is no folder\nGive another folder.`;
}

/** A failed write, in words for a user. @param count left out: asks the system */
export function diskError(error: unknown, path: string, count: CountInodes = statfsSync): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = systemCode(error);
  if (isFull(code)) return fullDisk(error, path, 'then resume the crawl', count);
  const obstacle = code === 'EEXIST' ? inTheWay(error) : null;
  if (obstacle !== null) {
    return new CrawlError('OUTPUT_UNUSABLE', `cannot write ${path}: ${obstacle}`, { cause: error, data: { code } });
  }
  if (code === 'ENOENT' || code === 'EEXIST') {
    return new CrawlError(
      'OUTPUT_UNUSABLE',
      `cannot write ${path}: its folder is not there\nIf it was moved or removed meanwhile, put it back and resume, or crawl again.`,
      { cause: error, data: { code } },
    );
  }
  const cure = CURES[code] ?? '';
  return new CrawlError('OUTPUT_UNUSABLE', `cannot write ${path}: ${writeFault(error)}${cure}`, {
    cause: error,
    data: { code },
  });
}
