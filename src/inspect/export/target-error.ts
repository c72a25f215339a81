import { CrawlError } from '../../base/errors.ts';
import { fullDisk, isFull, systemCode, type CountInodes } from '../../crawl-folder/disk-error.ts';

/** The failure to write an export, in words for a user. @param count as of {@link fullDisk} */
export function targetError(error: unknown, path: string, count?: CountInodes): CrawlError {
  if (error instanceof CrawlError) return error;
  const code = systemCode(error);
  const data = { code, target: path };
  if (isFull(code)) return fullDisk(error, path, 'or choose another place', count);
  switch (code) {
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
