/** Folders for temporary files. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';

/** What the system says of a folder in which nothing can be made, in words. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is no folder',
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
};

/**
 * Makes a new folder, which the caller removes.
 * @param start what its name begins with
 * @param parent where it is made; by default, where this process has its temporary files
 * @throws {CrawlError} TEMPORARY_UNUSABLE
 */
export async function makeTemporaryFolder(start: string, parent: string = tmpdir()): Promise<string> {
  try {
    return await mkdtemp(join(parent, start));
  } catch (cause) {
    throw new CrawlError(
      'TEMPORARY_UNUSABLE',
      `no temporary files can be made in ${parent}: ${fault(cause)}\n${CURE}`,
      { cause, data: { folder: parent } },
    );
  }
}

function fault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS[code] ?? (error instanceof Error ? error.message : String(error));
}

const CURE = 'Set TMPDIR to a folder that is there, may be written to, and has 512 MB or more.';
