/** Writes a crawl in other formats, out of its folder alone: no browser, no Redis, no network. */
import { resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';
import { VERSION } from '../options/identity.ts';
import { urlPolicyOf } from '../options/url-options.ts';
import { prepareCsv } from './export/csv-export.ts';
import type { PreparedExport } from './export/prepared.ts';
import { prepareSitemap } from './export/sitemap-export.ts';
import { prepareSqlite } from './export/sqlite-export.ts';
import { prepareWacz } from './export/wacz-export.ts';
import { openInspectedCrawl, type InspectedCrawl } from './inspected-crawl.ts';
import { leftQueued } from './left-queued.ts';
import { createUnread, type UnreadLines } from './unread-lines.ts';

export const EXPORT_FORMATS = ['csv', 'sitemap', 'sqlite', 'wacz'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The target of each format: a folder for csv, files for the others. Relative paths start from the process' folder. */
export type ExportTargets = Readonly<Partial<Record<ExportFormat, string>>>;

export interface ExportOptions {
  /** May existing files be replaced? Default false. */
  readonly overwrite?: boolean;
  readonly signal?: AbortSignal;
}

export interface Exported {
  readonly format: ExportFormat;
  /** Absolute paths; the first is the one that was asked for, or lies in the folder that was. */
  readonly files: readonly string[];
  /** Its contents: `{ pages: 12, links: 340 }`. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface ExportReport {
  readonly exported: readonly Exported[];
  /** Parts that are missing in them, and why. */
  readonly notes: readonly string[];
}

/**
 * Writes a crawl in other formats. All files are completed under other names first, and put in place together: where one format
 * fails, nothing is written. A crawl that runs or was interrupted is exported as far as it had come, and a note says so.
 * @throws {CrawlError} CRAWL_UNREADABLE, USAGE, OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL, NOT_STORED, ARCHIVE_DAMAGED, PACKAGE_MISSING
 * @example
 * await exportCrawl('orbweaver-example.org-20260102-030405', { csv: './tables', sitemap: './sitemap.xml' });
 */
export async function exportCrawl(
  folder: string,
  targets: ExportTargets,
  { overwrite = false, signal = new AbortController().signal }: ExportOptions = {},
): Promise<ExportReport> {
  const opened = await openInspectedCrawl(folder);
  const wanted = EXPORT_FORMATS.flatMap((format) => {
    const path = targets[format];
    return path === undefined ? [] : [{ format, path: resolve(path) }];
  });
  refuseClashes(wanted.map(({ path }) => path));
  const notes = new Set(stateNotes(opened));
  const ready: { readonly format: ExportFormat; readonly prepared: PreparedExport }[] = [];
  try {
    for (const { format, path } of wanted) {
      const unread = createUnread();
      ready.push({ format, prepared: await prepare(format, path, { opened, overwrite, unread }, signal) });
      for (const note of unread.notes()) notes.add(note);
    }
    signal.throwIfAborted();
    const exported: Exported[] = [];
    for (const { format, prepared } of ready) {
      exported.push({ format, files: await prepared.commit(), counts: prepared.counts });
      for (const note of prepared.notes) notes.add(note);
    }
    return { exported, notes: [...notes] };
  } finally {
    for (const { prepared } of ready) await prepared[Symbol.asyncDispose]();
  }
}

interface Needs {
  readonly opened: InspectedCrawl;
  readonly overwrite: boolean;
  readonly unread: UnreadLines;
}

function prepare(
  format: ExportFormat,
  path: string,
  { opened, overwrite, unread }: Needs,
  signal: AbortSignal,
): Promise<PreparedExport> {
  const { path: folder, crawl, options } = opened;
  const source = { folder, rules: { crawlFolder: folder, overwrite } };
  switch (format) {
    case 'csv':
      return prepareCsv(path, source, unread, signal);
    case 'sitemap':
      return prepareSitemap(path, { ...source, seeds: crawl.seeds, urlPolicy: urlPolicyOf(options) }, unread, signal);
    case 'sqlite':
      return prepareSqlite(path, source, unread, signal);
    case 'wacz':
      return prepareWacz(path, { ...source, crawl, software: `orbweaver ${VERSION}` }, unread, signal);
  }
}

function refuseClashes(paths: readonly string[]): void {
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined)
    throw new CrawlError('USAGE', `two formats are to be written to ${twice}\nGive each a place of its own.`);
}

function stateNotes({ crawl }: InspectedCrawl): readonly string[] {
  const { state, end } = crawl;
  const left = leftQueued(crawl);
  switch (state) {
    case 'running':
      return ['the crawl is still running, or was killed: what it had recorded by now is exported'];
    case 'interrupted':
      return ['the crawl was interrupted and can be resumed: what it had recorded until then is exported'];
    case 'failed':
      return [`the crawl ended early (${end ?? state}): what it had recorded until then is exported`];
    case 'finished':
      return left === null ? [] : [`${left}: what it had recorded until then is exported`];
  }
}
