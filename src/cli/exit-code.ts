/** The meanings of exit codes. docs/cli.md shows this table (a test compares). */
import { CrawlError, type ErrorCode } from '../base/errors.ts';
import type { CrawlEnd } from '../crawl/crawl.ts';

export const EXIT_CODES = {
  0: 'crawled to the end, or to a limit that you set; an audit, a comparison or a test, where no gate failed',
  1: 'the audit is done, and a gate failed: --fail-on, --baseline, --min-pages or --min-coverage; a comparison or a test, where anything differs; verify, where the folder is not whole',
  2: 'it could not start: usage, configuration, no browser, no Redis, no proxy, no storage, output folder in use, a baseline that is not valid',
  3: "it ended early for a cause of its own or the site's: seeds unreachable or forbidden, every host given up, the log-in failed, disk or storage full, browser or Redis lost, a fault of the program",
  4: 'paused: signed out, and signing in again failed; the state is saved and the command that resumes is printed',
  129: 'ended by SIGHUP, as its terminal went away; the state is saved and `resume` goes on',
  130: 'interrupted by Ctrl-C (SIGINT); the state is saved and the command that resumes is printed',
  143: 'ended by SIGTERM; the state is saved and the command that resumes is printed',
} as const;

export type ExitCode = keyof typeof EXIT_CODES;
export type StopSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const OF_SIGNAL: Readonly<Record<StopSignal, ExitCode>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** 128 + number of the signal, as shells count. */
export function exitCodeOfSignal(signal: StopSignal): ExitCode {
  return OF_SIGNAL[signal];
}

const OF_END: Readonly<Record<Exclude<CrawlEnd, 'interrupted'>, ExitCode>> = {
  'all-visited': 0,
  'page-limit': 0,
  'time-limit': 0,
  'size-limit': 0,
  'seeds-failed': 3,
  'hosts-given-up': 3,
  broken: 3,
  'signed-out': 4,
};

/** @param signal that was received during the crawl, if any; a crawl that came to its end all the same keeps its end's code */
export function exitCodeOfEnd(end: CrawlEnd, signal: StopSignal | null): ExitCode {
  return end === 'interrupted' ? exitCodeOfSignal(signal ?? 'SIGINT') : OF_END[end];
}

const OF_ERROR: Readonly<Record<ErrorCode, ExitCode>> = {
  USAGE: 2,
  CONFIG_INVALID: 2,
  SEED_INVALID: 2,
  OUTPUT_IN_USE: 2,
  OUTPUT_EXISTS: 2,
  OUTPUT_UNUSABLE: 2,
  NOTHING_TO_RESUME: 2,
  CRAWL_UNREADABLE: 2,
  NOT_STORED: 2,
  NOT_GATHERED: 2,
  ARCHIVE_DAMAGED: 3,
  PACKAGE_MISSING: 2,
  BROWSER_MISSING: 2,
  BROWSER_UNUSABLE: 2,
  PROXY_UNUSABLE: 2,
  LOGIN_FAILED: 3,
  STORAGE_UNUSABLE: 2,
  STORAGE_FAILED: 3,
  REDIS_MISSING: 2,
  REDIS_UNREACHABLE: 2,
  REDIS_UNFIT: 2,
  CRAWL_LED: 2,
  CRAWL_UNKNOWN: 2,
  WORKER_REFUSED: 2,
  SITE_INVALID: 2,
  BASELINE_INVALID: 2,
  DISK_FULL: 3,
  TOO_FEW_FILES: 2,
  TEMPORARY_UNUSABLE: 2,
  STATE_LOST: 2,
};

/** The code of a thrown error; a fault of the program itself is 3. */
export function exitCodeOfError(error: unknown): ExitCode {
  return error instanceof CrawlError ? OF_ERROR[error.code] : 3;
}
