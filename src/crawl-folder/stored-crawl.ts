/** A crawl folder as it is read back when its crawl is over, or while it runs: crawl.json and the lines about one URL. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../base/errors.ts';
import { parsedJson } from '../base/safe-json.ts';
import type { SuspectedTrap } from '../model/record.ts';
import { systemCode } from './disk-error.ts';

/**
 * `format` of crawl.json: how the folder's files are laid out. It rises when an older reader would read them wrongly; an added field
 * or file does not raise it. Folders without `format` are of format 1.
 */
export const CRAWL_FORMAT = 1;

/** crawl.json as far as readers need it. */
export interface StoredCrawl {
  readonly id: string;
  readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
  readonly end: string | null;
  /** Can `resume` go on? Also true for a finished crawl that left something queued at a limit. */
  readonly resumable: boolean;
  /** Canonical. */
  readonly seeds: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly effective: { readonly robotsAgent: string; readonly userAgent: string | null } | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly started: string;
  readonly finished: string | null;
  readonly suspectedTraps: readonly SuspectedTrap[];
  /** Missing where the crawl has not ended yet. */
  readonly totals: Readonly<Record<'visited' | 'failed' | 'skipped' | 'queued', number>> | null;
  /** Folders that were served as sites. */
  readonly served: readonly { readonly port: number }[];
}

const trapSchema: z.ZodType<SuspectedTrap> = z.looseObject({
  pattern: z.string(),
  rule: z.string(),
  fetched: z.number(),
  held: z.number(),
  why: z.string(),
});

const schema: z.ZodType<StoredCrawl> = z.looseObject({
  id: z.string(),
  state: z.enum(['running', 'interrupted', 'finished', 'failed']),
  end: z.string().nullable().default(null),
  resumable: z.boolean().default(false),
  seeds: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
  effective: z
    .looseObject({ robotsAgent: z.string(), userAgent: z.string().nullable().default(null) })
    .nullable()
    .default(null),
  versions: z.record(z.string(), z.string()).default({}),
  started: z.string(),
  finished: z.string().nullable().default(null),
  suspectedTraps: z.array(trapSchema).default([]),
  totals: z
    .looseObject({
      visited: z.number().default(0),
      failed: z.number().default(0),
      skipped: z.number().default(0),
      queued: z.number(),
    })
    .nullable()
    .default(null),
  served: z.array(z.looseObject({ port: z.number() })).default([]),
});

/**
 * Reads crawl.json.
 * @param version of this program: crawls of a later one are refused, as their words may mean something else
 * @throws {CrawlError} CRAWL_UNREADABLE
 */
export async function readStoredCrawl(folder: string, version: string): Promise<StoredCrawl> {
  const path = join(folder, 'crawl.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(missing(folder, systemCode(error)), folder, error);
  });
  const content = parsedJson(text);
  refuseLaterFormat(content, folder);
  const theirs = versionOf(content);
  if (theirs !== null && isLater(theirs, version)) {
    throw unreadable(
      `${folder} was written by orbweaver ${theirs}, and this is ${version}\nRead it with that version.`,
      folder,
    );
  }
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
  throw unreadable(`${path} is no description of a crawl${where}`, folder, read.error);
}

/**
 * Refuses a crawl.json whose format is later than ours.
 * @throws {CrawlError} CRAWL_UNREADABLE
 */
export function refuseLaterFormat(content: unknown, folder: string): void {
  const read = z.object({ format: z.number() }).safeParse(content);
  if (!read.success || read.data.format <= CRAWL_FORMAT) return;
  const by = versionOf(content);
  throw unreadable(
    `${folder} is a crawl of format ${read.data.format}, and this version reads formats up to ${CRAWL_FORMAT}\n` +
      `Read it with ${by === null ? 'the version' : `orbweaver ${by}`} that wrote it, or a later one.`,
    folder,
  );
}

function missing(folder: string, code: string): string {
  const cure = 'Give the folder that a crawl has written: there is a crawl.json in it.';
  switch (code) {
    case 'ENOENT':
      return `${folder} holds no crawl: there is no crawl.json in it\n${cure}`;
    case 'ENOTDIR':
      return `${folder} is a file, not the folder of a crawl\n${cure}`;
    default:
      return `crawl.json in ${folder} cannot be read: ${code}`;
  }
}

function versionOf(content: unknown): string | null {
  const read = z.object({ versions: z.object({ orbweaver: z.string() }) }).safeParse(content);
  return read.success ? read.data.versions.orbweaver : null;
}

/** May the meaning of names have changed? In a later major version, or minor one while the major is 0. */
function isLater(theirs: string, ours: string): boolean {
  const [major = 0, minor = 0] = numbersOf(theirs);
  const [ourMajor = 0, ourMinor = 0] = numbersOf(ours);
  return major > ourMajor || (major === 0 && ourMajor === 0 && minor > ourMinor);
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

function unreadable(message: string, folder: string, cause?: unknown): CrawlError {
  return new CrawlError('CRAWL_UNREADABLE', message, { data: { folder }, ...(cause === undefined ? {} : { cause }) });
}
