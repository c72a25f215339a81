/** `pages/pages.jsonl` of a WACZ file: the pages at which its reader may begin. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { notGathered } from '../../crawl-folder/not-gathered.ts';
import { readStoredFile } from '../../crawl-folder/stored-file.ts';
import { storedPages, type StoredPage, type Unread } from '../../crawl-folder/stored-lines.ts';
import { readWarcName } from '../../warc/archive-names.ts';
import { decodedPayload, readRecord } from '../../warc/warc-reader.ts';
import type { CheckedArchive } from './archive-integrity.ts';
import type { TextFile } from './text-file.ts';
import { damagedArchive } from './warc-integrity.ts';

/** The longest text for full-text search in the replay tool, which holds all of it in memory. */
const TEXT_LIMIT = 64 * 1024;

interface PagesSource {
  readonly folder: string;
  readonly seeds: readonly string[];
  readonly archive: CheckedArchive;
}

export interface WrittenPages {
  readonly count: number;
  /** Pages whose answer is not in the archive, only records made from it: they cannot be opened, and get no lines. */
  readonly unanswered: number;
  /** The first page of the first seed that has one: a replay tool opens it. */
  readonly main: { readonly url: string; readonly date: string } | null;
}

/** @throws {CrawlError} NOT_GATHERED, ARCHIVE_DAMAGED where a page's record is not in the archive; DISK_FULL, OUTPUT_UNUSABLE */
export async function writePages(
  file: TextFile,
  { folder, seeds, archive }: PagesSource,
  unread: Unread,
  signal: AbortSignal,
): Promise<WrittenPages> {
  const seedUrls = new Set(seeds);
  let main: (WrittenPages['main'] & { readonly isSeed: boolean }) | null = null;
  let [count, unanswered] = [0, 0];
  await file.write(`${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: true })}\n`);
  for await (const page of storedPages(folder, '"outcome":"captured"', unread)) {
    signal.throwIfAborted();
    const { warc } = page.snapshot;
    if (page.outcome !== 'captured' || warc === null) continue;
    const record = archive.recordAt(basename(warc.file), warc.offset);
    const worker = record === null && !archive.hasFile(basename(warc.file)) ? readWarcName(warc.file)?.worker : null;
    if (typeof worker === 'string') throw notGathered(folder, worker, warc.file);
    if (record === null) throw damagedArchive(warc.file, warc.offset, `the record of ${page.url} is not there`);
    const date = record.answered;
    if (date === null) {
      unanswered += 1;
      continue;
    }
    const text = await textOf(folder, page);
    const isSeed = seedUrls.has(page.url) || page.depth === 0;
    const line = {
      id: createHash('sha256').update(page.url).digest('hex').slice(0, 20),
      url: page.url,
      ts: date,
      ...(page.title === null || page.title === '' ? {} : { title: page.title }),
      seed: isSeed,
      depth: page.depth,
      ...(page.status === null ? {} : { status: page.status }),
      ...(page.contentType === null ? {} : { mime: page.contentType }),
      ...(text === null ? {} : { text }),
    };
    await file.write(`${JSON.stringify(line)}\n`);
    count += 1;
    if (main === null || (isSeed && !main.isSeed)) main = { url: page.url, date, isSeed };
  }
  return { count, unanswered, main: main === null ? null : { url: main.url, date: main.date } };
}

/** The text of a page; without it the page is not searched, but listed. */
async function storedText(folder: string, name: string): Promise<string | null> {
  try {
    return Buffer.from((await readStoredFile(folder, name)).content).toString('utf8');
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'NOT_STORED') return null;
    throw error;
  }
}

async function textOf(folder: string, { snapshot: { text, warc } }: StoredPage): Promise<string | null> {
  if (text !== null) return cut(await storedText(folder, text));
  if (warc?.text === undefined) return null;
  const { bytes } = await decodedPayload(await readRecord(folder, warc.text));
  return cut(Buffer.from(bytes).toString('utf8'));
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, TEXT_LIMIT);
}
