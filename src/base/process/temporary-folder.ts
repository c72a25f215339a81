/** Folders for temporary files. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { writeFault } from '../write-fault.ts';

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
      `no temporary files can be made in ${parent}: ${writeFault(cause)}\n${CURE}`,
      { cause, data: { folder: parent } },
    );
  }
}

const CURE = 'Set TMPDIR to a folder that is there, may be written to, and has 512 MB or more.';
