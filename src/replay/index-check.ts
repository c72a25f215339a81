/** Does an index fit the WARC files that it is packed with? Files that were compressed anew, or joined, have their records elsewhere. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { ARCHIVE_FOLDER, INDEX_FILE } from '../warc/archive-names.ts';
import { readIndexLine, type StoredIndexLine } from '../warc/cdxj-line.ts';
import { readRecord } from '../warc/warc-reader.ts';

/** Most lines that are read, and most records (arbitrary). A wrong index hardly ever leads to one record of a file. */
const LINES = 10_000;
const RECORDS = 20;

/** Tries the first line of each file. False where one leads to no record of its address, or no line can be read. */
export async function leadsToRecords(folder: string): Promise<boolean> {
  const tried = new Set<string>();
  let count = 0;
  const source = createReadStream(join(folder, ARCHIVE_FOLDER, INDEX_FILE), 'utf8');
  try {
    for await (const text of createInterface({ input: source, crlfDelay: Infinity })) {
      count += 1;
      if (count > LINES || tried.size >= RECORDS) break;
      const line = readIndexLine(text);
      if (line === null || tried.has(line.filename)) continue;
      tried.add(line.filename);
      if (!(await isThere(folder, line))) return false;
    }
  } finally {
    source.destroy();
  }
  return tried.size > 0;
}

async function isThere(folder: string, { url, filename, offset, length }: StoredIndexLine): Promise<boolean> {
  try {
    const { targetUri } = await readRecord(folder, { file: `${ARCHIVE_FOLDER}/${filename}`, offset, length });
    return targetUri !== null && addressOf(targetUri) === addressOf(url);
  } catch (error) {
    if (error instanceof CrawlError) return false;
    throw error;
  }
}

/** Tools spell addresses differently. */
function addressOf(url: string): string {
  return parsedUrl(url)?.href ?? url;
}
