/** Tables and columns of the SQLite file, from the columns of the lines. */
import type { Column, ColumnType } from './column.ts';

/** Fields of ours whose names are words of SQL, or the number of the row. */
const RENAMED: Readonly<Record<string, string>> = {
  from: 'from_url',
  to: 'to_url',
  new: 'is_new',
  id: 'finding_id',
  group: 'finding_group',
};

/** `timing.ttfb` → `timing_ttfb`, `finalUrl` → `final_url`. */
function columnName({ name }: Column): string {
  return RENAMED[name] ?? name.replaceAll('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Lists are texts of JSON, which SQLite's `json_each` reads. */
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  flag: 'INTEGER',
  list: 'TEXT',
};

export function createTableSql(table: string, columns: readonly Column[]): string {
  const fields = columns.map((column) => `${columnName(column)} ${SQL_TYPES[column.type]}`);
  return `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${fields.join(', ')})`;
}

export function insertSql(table: string, columns: readonly Column[]): string {
  const names = columns.map(columnName);
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

/** Indexes for common questions: built after the rows, which takes a fraction of the time. */
export const INDEXES: Readonly<Record<string, readonly string[]>> = {
  pages: ['url', 'outcome', 'status', 'duplicate_of'],
  links: ['from_url', 'to_url', 'kind'],
  skipped: ['url', 'reason'],
  findings: ['rule', 'url'],
};

export function indexSql(table: string, column: string): string {
  return `CREATE INDEX ${table}_by_${column} ON ${table} (${column})`;
}

/** A value as SQLite takes it. */
export function sqlValue(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd'); // SQLite ends a text at a NUL
  if (typeof value === 'boolean') return Number(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}
