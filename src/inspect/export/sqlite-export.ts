/** A crawl as an SQLite file: tables pages, links, skipped, findings, and the crawl itself as names and values. */
import { appendFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Unread } from '../../crawl-folder/stored-lines.ts';
import { cellOf } from './column.ts';
import { crawlTables, type CrawlTable } from './crawl-tables.ts';
import { prepareIn, type ExportSource, type PreparedExport } from './prepared.ts';
import { loadSqlite, type Database } from './sqlite-package.ts';
import { createTableSql, INDEXES, indexSql, insertSql, sqlValue } from './sqlite-schema.ts';
import { targetError } from './target-error.ts';
import { FILE_MODE, stageFile, type FileTarget } from './target.ts';

/** Fast and unsafe: the file is read only when it is whole, and thrown away where it never is. */
const WRITING =
  'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; PRAGMA locking_mode = EXCLUSIVE';

/** @throws {CrawlError} PACKAGE_MISSING, OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL, USAGE */
export async function prepareSqlite(
  path: string,
  { folder, rules, load }: ExportSource & { readonly load?: Parameters<typeof loadSqlite>[0] },
  unread: Unread,
  signal: AbortSignal,
): Promise<PreparedExport> {
  const { Database } = await loadSqlite(load);
  const staging = await stageFile(path, rules);
  return prepareIn(staging, async () => {
    const target = staging.file(basename(path));
    const counts: Record<string, number> = {};
    await createPrivate(target);
    const database = openDatabase(() => new Database(target.temporary), target.path);
    try {
      database.exec(WRITING);
      database.exec('BEGIN');
      await copyCrawl(database, folder);
      for (const table of await crawlTables(folder, unread))
        counts[table.name] = await copyTable(database, table, signal);
      database.exec('COMMIT');
      for (const table of Object.keys(counts)) {
        for (const column of INDEXES[table] ?? []) {
          signal.throwIfAborted();
          database.exec(indexSql(table, column));
        }
      }
    } catch (error) {
      throw signal.aborted ? error : targetError(systemError(error, target.temporary), target.path);
    } finally {
      database.close();
    }
    await sync(target.temporary);
    return {
      counts,
      notes: [],
      paths: [target.path],
    };
  });
}

/** Creates an empty file, which is an empty database; SQLite's journals take its mode. */
async function createPrivate({ temporary, path }: FileTarget): Promise<void> {
  const file = await open(temporary, 'wx', FILE_MODE).catch((error: unknown) => {
    throw targetError(error, path);
  });
  await file.close();
}

/** More than any rest of a full disk that SQLite could not use; arbitrary. */
const PROBE_SIZE = 1024 * 1024;

/** The driver says only that a write has failed. The system says why, when it is asked for one more; the error as it was where that one succeeds. */
function systemError(error: unknown, temporary: string): unknown {
  if (!(error instanceof Error && /disk I\/O error|disk is full/.test(error.message))) return error;
  try {
    appendFileSync(temporary, Buffer.alloc(PROBE_SIZE)); // the file is removed in any case
    return error;
  } catch (cause) {
    return cause;
  }
}

function openDatabase(make: () => Database, path: string): Database {
  try {
    return make();
  } catch (error) {
    throw targetError(error, path);
  }
}

/** Copies each field of crawl.json; values that are not single become JSON. */
async function copyCrawl(database: Database, folder: string): Promise<void> {
  const content: unknown = JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8'));
  database.exec('CREATE TABLE crawl (name TEXT PRIMARY KEY, value)');
  const insert = database.prepare('INSERT INTO crawl (name, value) VALUES (?, ?)');
  try {
    for (const [name, value] of Object.entries(content ?? {})) insert.run([name, sqlValue(value)]);
  } finally {
    insert.finalize();
  }
}

async function copyTable(
  database: Database,
  { name, columns, rows }: CrawlTable,
  signal: AbortSignal,
): Promise<number> {
  database.exec(createTableSql(name, columns));
  const insert = database.prepare(insertSql(name, columns));
  try {
    let count = 0;
    for await (const row of rows()) {
      signal.throwIfAborted();
      insert.run(columns.map((column) => sqlValue(cellOf(row, column))));
      count += 1;
    }
    return count;
  } finally {
    insert.finalize();
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
