/**
 * Every error that the program throws on purpose has a code from this table; docs/errors.md explains each (a test compares).
 * Expected endings of a visit (404, robots, timeout) are values, not errors.
 */
export const ERROR_CODES = {
  USAGE: 'a flag, a value or a combination of them that is not accepted',
  CONFIG_INVALID: 'the config file cannot be read, has an unknown key or a value of the wrong type',
  SEED_INVALID: 'a seed is no http(s) URL and no folder',
  OUTPUT_IN_USE: 'another process is writing to the output folder',
  OUTPUT_EXISTS: 'the output is there already, and neither --resume nor --overwrite was given',
  OUTPUT_UNUSABLE: 'the output folder cannot be created, read or written',
  NOTHING_TO_RESUME: 'the folder holds no crawl that could be resumed',
  CRAWL_UNREADABLE: 'the folder holds no crawl, or one that this version cannot read, or lacks a file with its lines',
  NOT_STORED: 'the crawl did not keep what is asked for',
  NOT_GATHERED: 'it was kept elsewhere, and not brought to the crawl folder',
  ARCHIVE_DAMAGED: 'the archive of a crawl does not hold what it says',
  PACKAGE_MISSING: 'an optional package that the command needs is not installed',
  BROWSER_MISSING: 'no Chromium was found',
  BROWSER_UNUSABLE: 'a Chromium was found and does not start, opens no page, or does not reach the proxy',
  PROXY_UNUSABLE: 'the proxy of --proxy is not reached, or does not connect',
  LOGIN_FAILED: 'the log-in of --login did not sign in',
  STORAGE_UNUSABLE: 'the storage of --snapshot-storage cannot be written to, or this machine has no key for it',
  STORAGE_FAILED: 'the storage of snapshots has failed while it was used',
  REDIS_MISSING: 'no redis-server or valkey-server was found',
  REDIS_UNREACHABLE: 'the Redis server does not answer, or refuses',
  REDIS_UNFIT: 'the Redis server is too old, full, takes no writes, or would evict keys',
  CRAWL_LED: 'another process that is alive leads the crawl',
  CRAWL_UNKNOWN: 'the Redis server has no crawl of this id',
  WORKER_REFUSED: 'the crawl takes no workers, or none of this version',
  SITE_INVALID: 'site.json or expected.json of a folder is not valid',
  BASELINE_INVALID: 'the baseline cannot be read, is of another site or version, or accepts a finding without a reason',
  DISK_FULL: 'the disk is full, of bytes or of files (inodes)',
  TOO_FEW_FILES: 'the system lets the program open too few files at a time',
  TEMPORARY_UNUSABLE: 'no temporary files can be made',
  STATE_LOST: 'the crawl folder says that a crawl is there, and Redis does not know it',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The subject of an error; shown to people, so secrets stay out of it. */
type ErrorData = Readonly<Record<string, string | number | boolean>>;

export class CrawlError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;

  /** @param message a whole sentence that names the value and, after a line feed, the cure. */
  constructor(code: ErrorCode, message: string, options: { readonly cause?: unknown; readonly data?: ErrorData } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.name = 'CrawlError';
    this.code = code;
    this.data = options.data ?? {};
  }
}
