import { CrawlError } from '../base/errors.ts';

/** The system's code of an error (ENOSPC, EACCES…), or an empty string. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
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
  const why = error instanceof Error ? error.message : String(error);
  return new CrawlError('OUTPUT_UNUSABLE', `cannot write ${path}: ${why}`, { cause: error, data: { code } });
}
