/** The lines of a crawl folder as tables: their names, their columns, and their rows one by one. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { storedFindings, storedLinks, storedPages, storedSkips, type Unread } from '../../crawl-folder/stored-lines.ts';
import { FINDING_COLUMNS, LINK_COLUMNS, PAGE_COLUMNS, SKIPPED_COLUMNS, type Column } from './column.ts';

export interface CrawlTable {
  readonly name: 'pages' | 'links' | 'skipped' | 'findings';
  readonly columns: readonly Column[];
  readonly rows: () => AsyncIterable<unknown>;
}

/** @param unread counts lines that cannot be read; they become no rows */
export async function crawlTables(folder: string, unread: Unread): Promise<readonly CrawlTable[]> {
  const audited = await access(join(folder, 'findings.jsonl')).then(
    () => true,
    () => false,
  );
  const findings: CrawlTable = {
    name: 'findings',
    columns: FINDING_COLUMNS,
    rows: () => storedFindings(folder, unread),
  };
  return [
    { name: 'pages', columns: PAGE_COLUMNS, rows: () => storedPages(folder, '', unread) },
    { name: 'links', columns: LINK_COLUMNS, rows: () => storedLinks(folder, '', unread) },
    { name: 'skipped', columns: SKIPPED_COLUMNS, rows: () => storedSkips(folder, '', unread) },
    ...(audited ? [findings] : []),
  ];
}
