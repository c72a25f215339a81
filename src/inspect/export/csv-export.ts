/** Pages, links and skipped URLs as CSV files in a folder. */
import type { Unread } from '../../crawl-folder/stored-lines.ts';
import { cellOf } from './column.ts';
import { crawlTables } from './crawl-tables.ts';
import { csvLine } from './csv-text.ts';
import { prepareIn, type ExportSource, type PreparedExport } from './prepared.ts';
import { stageFolder, type FileTarget } from './target.ts';
import { createTextFile } from './text-file.ts';

/** @throws {CrawlError} OUTPUT_EXISTS, OUTPUT_UNUSABLE, DISK_FULL, USAGE */
export async function prepareCsv(
  path: string,
  { folder, rules }: ExportSource,
  unread: Unread,
  signal: AbortSignal,
): Promise<PreparedExport> {
  const staging = await stageFolder(path, rules);
  return prepareIn(staging, async () => {
    const counts: Record<string, number> = {};
    const files: FileTarget[] = [];
    for (const { name, columns, rows } of await crawlTables(folder, unread)) {
      const target = staging.file(`${name}.csv`);
      files.push(target);
      await using file = await createTextFile(target.temporary);
      await file.write(csvLine(columns.map((column) => column.name)));
      let count = 0;
      for await (const row of rows()) {
        signal.throwIfAborted();
        await file.write(csvLine(columns.map((column) => cellOf(row, column))));
        count += 1;
      }
      await file.finish();
      counts[name] = count;
    }
    return {
      counts,
      notes: [],
      paths: files.map((file) => file.path),
    };
  });
}
