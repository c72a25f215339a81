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

/** A failed write, in words for a user. */
export function diskError(error: unknown, path: string): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new CrawlError(
      'DISK_FULL',
      `the disk is full: ${path} could not be written\nFree some space, then resume the crawl.`,
      {
        cause: error,
      },
    );
  }
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
