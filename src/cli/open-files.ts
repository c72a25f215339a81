import { CrawlError } from '../base/errors.ts';

/** What the system answers where a process, or the whole system, has too many files open. */
const LACKS: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** The error for a system that opens no more files for the program; null for every other error. */
export function lackOfFiles(error: unknown): CrawlError | null {
  if (!(error instanceof Error && 'code' in error && LACKS.has(error.code))) return null;
  const cure = 'Raise the limit: ulimit -n 1024, or that of the service or the container. A crawl needs some hundreds.';
  const what = 'the system lets the program open too few files at a time';
  return new CrawlError('TOO_FEW_FILES', `${what}\n${cure}`, { cause: error });
}
