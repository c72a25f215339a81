/** Media types that say nothing of what is in a file. */

/** Types that servers give for gzip, and for files that they do not know: object stores name all files `binary/octet-stream`. */
export const VAGUE_TYPES: ReadonlySet<string> = new Set([
  'application/gzip',
  'application/x-gzip',
  'application/x-gunzip',
  'application/gzipped',
  'application/gzip-compressed',
  'gzip/document',
  'application/octet-stream',
  'binary/octet-stream',
]);
