/**
 * Names of the files of an archive. Several processes may write into one folder, the one that leads the crawl and workers that see its
 * folder, so each has WARC files and an index of its own; `gather-archive.ts` makes one index of all.
 */
export const ARCHIVE_FOLDER = 'archive';
/** Behind the name of a file that still grows. */
export const OPEN_SUFFIX = '.open';
export const INDEX_FILE = 'index.cdxj';
export const INDEX_JOURNAL: string = `${INDEX_FILE}${OPEN_SUFFIX}`;

const WORKER = 'w-[0-9a-f]{8}';
const WARC_NAME = new RegExp(`-(?:(${WORKER})-)?(\\d{5,})\\.warc\\.gz(\\.open)?$`);
const JOURNAL_NAME = new RegExp(`^index-(${WORKER})\\.cdxj\\.open$`);

/** @param worker null for the process that leads the crawl */
export function warcName(crawl: string, worker: string | null, number: number): string {
  return `${crawl}-${worker === null ? '' : `${worker}-`}${String(number).padStart(5, '0')}.warc.gz`;
}

/** The index as it grows. A worker's is never sorted: that is done when it is gathered. */
export function journalName(worker: string | null): string {
  return worker === null ? INDEX_JOURNAL : `index-${worker}.cdxj${OPEN_SUFFIX}`;
}

/** Of bodies that are on their way: gone with the process. */
export function bodyFolderName(worker: string | null): string {
  return worker === null ? '.bodies' : `.bodies-${worker}`;
}

interface WarcName {
  /** Null where the process wrote it that leads the crawl. */
  readonly worker: string | null;
  readonly number: number;
  /** Does it still grow, or was its writer killed? */
  readonly isOpen: boolean;
}

/** Null where it is no WARC file. */
export function readWarcName(name: string): WarcName | null {
  const match = WARC_NAME.exec(name);
  if (match === null) return null;
  return { worker: match[1] ?? null, number: Number(match[2]), isOpen: match[3] !== undefined };
}

/** The worker whose index has this name; null where it is no worker's. */
export function workerOfJournal(name: string): string | null {
  return JOURNAL_NAME.exec(name)?.[1] ?? null;
}
