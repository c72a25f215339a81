/**
 * Repairs the archive of a killed crawl, so that the crawl can go on in a new file. A file that was still open is cut
 * after its last whole record and gets its name. The journal of the index gets its missing lines, and
 * loses the lines of bytes that are gone.
 */
import { appendFile, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { linesHolding } from '../crawl-folder/crawl-lines.ts';
import { systemCode } from '../crawl-folder/disk-error.ts';
import { syncFolder } from '../crawl-folder/sync-folder.ts';
import { INDEX_FILE, INDEX_JOURNAL, journalName, OPEN_SUFFIX, readWarcName } from './archive-names.ts';
import { isJournalLine, journalLine, readIndexLine, type StoredIndexLine } from './cdxj-line.ts';
import { syncFile } from './file-handle.ts';
import { wholeRecords, type WalkedRecord } from './warc-walk.ts';
import { walkedIndex } from './walked-index.ts';

/** Bytes at the end of the journal whose records are remembered: all payloads that fit in memory. */
const REMEMBERED = 64 * 1024 * 1024;
/** Matches the place in a whole journal line: parsing millions of them as JSON would take minutes. */
export const LINE_PLACE: RegExp = /"length":"(\d{1,15})","offset":"(\d{1,15})","filename":"([^"]+)".*\}$/;

/**
 * @param note called for records of the index, at least the last ones
 * @param worker owner of this part of the archive; null for the leader of the crawl. Other parts are not touched
 * @returns the number of the next file
 * @throws the error of an unreadable or unwritable file
 */
export async function recoverArchive(
  folder: string,
  note: (line: StoredIndexLine) => void,
  worker: string | null = null,
): Promise<{ readonly nextNumber: number }> {
  const names = await readdir(folder);
  const journal = join(folder, journalName(worker));
  if (worker === null) await recoverJournal(folder, names);
  const numbers: number[] = [];
  for (const name of names) {
    const warc = readWarcName(name);
    if (warc === null || warc.worker !== worker) continue;
    numbers.push(warc.number);
    if (warc.isOpen) await mend(folder, name.slice(0, -OPEN_SUFFIX.length), journal);
  }
  const size = await sizeOf(journal);
  for await (const { line, end } of journalLines(journal)) {
    const isExact = isJournalLine(line); // a revisit needs the time of its record to the millisecond
    const read = isExact && end >= size - REMEMBERED ? readIndexLine(line) : null;
    if (read !== null) note(read);
  }
  return { nextNumber: Math.max(-1, ...numbers) + 1 };
}

/** Restores the journal. It is complete until the sorted index exists; the index of an ended crawl becomes the journal again. */
async function recoverJournal(folder: string, names: readonly string[]): Promise<void> {
  const sorted = join(folder, INDEX_FILE);
  if (names.includes(INDEX_JOURNAL)) await rm(sorted, { force: true });
  else if (names.includes(INDEX_FILE)) await rename(sorted, join(folder, INDEX_JOURNAL));
  for (const name of names.filter((each) => each.startsWith(`${INDEX_FILE}.`) && each !== INDEX_JOURNAL))
    await rm(join(folder, name), { recursive: true, force: true }); // left from a killed sorting
}

async function mend(folder: string, filename: string, journal: string): Promise<void> {
  const path = join(folder, `${filename}${OPEN_SUFFIX}`);
  const size = await sizeOf(path);
  const { whole, known } = await trustedJournal(journal, filename, size);
  if (whole < (await sizeOf(journal))) await truncate(journal, whole);
  let end = known;
  let last: WalkedRecord | null = null;
  const lines: string[] = [];
  const flush = (next: WalkedRecord | null): void => {
    const index = last === null ? null : walkedIndex(last, next);
    if (last !== null && index !== null)
      lines.push(`${journalLine(index, { filename, offset: last.offset, length: last.length })}\n`);
    last = next;
  };
  for await (const record of wholeRecords(path, known)) {
    flush(record);
    end = record.offset + record.length;
  }
  flush(null);
  if (lines.length > 0) await appendFile(journal, lines.join(''), { mode: 0o600 });
  if (end === 0) return rm(path);
  if (end < size) await truncate(path, end);
  await syncFile(path);
  await syncFile(journal);
  await rename(path, join(folder, filename));
  await syncFolder(folder);
}

/** The length of the journal with whole lines of existing bytes, and the end of the last record that it names. */
async function trustedJournal(
  journal: string,
  filename: string,
  size: number,
): Promise<{ readonly whole: number; readonly known: number }> {
  let [whole, known] = [0, 0];
  for await (const { line, end } of journalLines(journal)) {
    const [, length, offset, name] = LINE_PLACE.exec(line) ?? [];
    if (name === undefined) break;
    if (name === filename) {
      if (Number(offset) + Number(length) > size) break;
      known = Math.max(known, Number(offset) + Number(length));
    }
    whole = end;
  }
  return { whole, known };
}

/** Whole lines only; all are ASCII. */
async function* journalLines(path: string): AsyncGenerator<{ readonly line: string; readonly end: number }> {
  let end = 0;
  for await (const { text: line, torn } of linesHolding(path, '')) {
    end += line.length + 1;
    if (!torn) yield { line, end };
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
