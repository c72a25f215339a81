import { CrawlError } from '../../base/errors.ts';
import { systemCode } from '../../crawl-folder/disk-error.ts';

/** The failure to write an export, in words for a user. */
export function targetError(error: unknown, path: string): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = systemCode(error);
  const data = { code, target: path };
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new CrawlError(
        'DISK_FULL',
        `the disk is full: ${path} could not be written\nFree some space, or choose another place.`,
        {
          cause: error,
          data,
        },
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return new CrawlError(
        'OUTPUT_UNUSABLE',
        `${path} cannot be written: the folder that it is to be in is not there\nMake it first.`,
        {
          cause: error,
          data,
        },
      );
    default: {
      const why = error instanceof Error ? error.message : String(error);
      return new CrawlError('OUTPUT_UNUSABLE', `${path} cannot be written: ${why}`, { cause: error, data });
    }
  }
}
