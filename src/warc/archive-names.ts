/**
 * Names of the files of an archive. Several processes may write into one folder: the leader of the crawl, and workers that see its
 * folder. So each has its own WARC files and index; `gather-archive.ts` merges the indexes.
 */
export const ARCHIVE_FOLDER = 'archive';
/** Suffix of a file that still grows. */
export const OPEN_SUFFIX = '.open';
export const INDEX_FILE = 'index.cdxj';
export const INDEX_JOURNAL: string = `${INDEX_FILE}${OPEN_SUFFIX}`;

const WORKER = 'w-[0-9a-f]{8}';
const WARC_NAME = new RegExp(`-(?:(${WORKER})-)?(\\d{5,})\\.warc\\.gz(\\.open)?$`);
const JOURNAL_NAME = new RegExp(`^index-(${WORKER})\\.cdxj\\.open$`);

/** @param worker null for the leader of the crawl */
export function warcName(crawl: string, worker: string | null, number: number): string {
  return `${crawl}-${worker === null ? '' : `${worker}-`}${String(number).padStart(5, '0')}.warc.gz`;
}

/** Name of the growing index. A worker's is never sorted; gathering does that. */
export function journalName(worker: string | null): string {
  return worker === null ? INDEX_JOURNAL : `index-${worker}.cdxj${OPEN_SUFFIX}`;
}

/** Name of the folder for bodies in transit, which are lost with the process. */
export function bodyFolderName(worker: string | null): string {
  return worker === null ? '.bodies' : `.bodies-${worker}`;
}

interface WarcName {
  /** Name of the worker; null where the leader of the crawl wrote the file. */
  readonly worker: string | null;
  readonly number: number;
  /** Does the file still grow, or was its writer killed? */
  readonly isOpen: boolean;
}

/** Parts of the name of a WARC file; null for any other name. */
export function readWarcName(name: string): WarcName | null {
  const match = WARC_NAME.exec(name);
  if (match === null) return null;
  return { worker: match[1] ?? null, number: Number(match[2]), isOpen: match[3] !== undefined };
}

/** The worker whose index has this name; null where the name is not a worker's. */
export function workerOfJournal(name: string): string | null {
  return JOURNAL_NAME.exec(name)?.[1] ?? null;
}
