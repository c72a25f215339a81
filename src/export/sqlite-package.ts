/** The package that writes SQLite files. It is optional: a crawl needs none of it. */
import type * as Package from 'node-sqlite3-wasm';
import type { Database } from 'node-sqlite3-wasm';
import { CrawlError } from '../base/errors.ts';

type Sqlite = typeof Package;
export type { Database };

export const SQLITE_PACKAGE = 'node-sqlite3-wasm';

/** Loads the package; a test hands over another way. @throws {CrawlError} PACKAGE_MISSING */
export async function loadSqlite(load: () => Promise<Sqlite> = () => import('node-sqlite3-wasm')): Promise<Sqlite> {
  try {
    return await load();
  } catch (cause) {
    const message = `an SQLite file is written by the package ${SQLITE_PACKAGE}, which is not installed here\nInstall it: npm install ${SQLITE_PACKAGE}`;
    throw new CrawlError('PACKAGE_MISSING', message, { cause, data: { package: SQLITE_PACKAGE } });
  }
}
