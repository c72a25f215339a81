/** The package that writes SQLite files. It is optional: a crawl needs none of it. */
import type * as Package from 'node-sqlite3-wasm';
import type { Database } from 'node-sqlite3-wasm';
import { CrawlError } from '../../base/errors.ts';

type Sqlite = typeof Package;
export type { Database };

const SQLITE_PACKAGE = 'node-sqlite3-wasm';

/** Loads the package; a test hands over another way. @throws {CrawlError} PACKAGE_MISSING */
export async function loadSqlite(load: () => Promise<unknown> = () => import('node-sqlite3-wasm')): Promise<Sqlite> {
  const found = await load().catch((cause: unknown) => {
    throw missing(cause);
  });
  if (isSqlite(found)) return found;
  // Node does not see the names that a CommonJS module of this kind exports
  const inner = typeof found === 'object' && found !== null && 'default' in found ? found.default : null;
  if (isSqlite(inner)) return inner;
  throw missing(new TypeError(`${SQLITE_PACKAGE} has no Database`));
}

function isSqlite(found: unknown): found is Sqlite {
  return typeof found === 'object' && found !== null && 'Database' in found && typeof found.Database === 'function';
}

function missing(cause: unknown): CrawlError {
  const message = `an SQLite file is written by the package ${SQLITE_PACKAGE}, which is not installed here\nInstall it: npm install ${SQLITE_PACKAGE}`;
  return new CrawlError('PACKAGE_MISSING', message, { cause, data: { package: SQLITE_PACKAGE } });
}
