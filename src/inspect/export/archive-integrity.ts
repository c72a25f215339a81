/** Checks the archive of a crawl: each file, and the index over them. */
import { join } from 'node:path';
import { linesHolding } from '../../crawl-folder/crawl-lines.ts';
import { readIndexLine } from '../../warc/cdxj-line.ts';
import { checkedRecords, damagedArchive } from './warc-integrity.ts';

/** The files of an archive. */
export interface ArchiveFiles {
  /** Absolute. */
  readonly folder: string;
  /** Names of the WARC files, sorted. */
  readonly warcs: readonly string[];
  readonly index: string;
}

export interface CheckedArchive {
  readonly records: number;
  hasFile(warc: string): boolean;
  /** The record that begins there; null where the index names none there. */
  recordAt(warc: string, offset: number): IndexedPlace | null;
}

interface IndexedPlace {
  /** When an answer was received: ISO 8601; null where the record is no answer, but made from one. */
  readonly answered: string | null;
}

/** Types of records that the index names. */
const INDEXED: ReadonlySet<string> = new Set(['response', 'revisit', 'resource']);

/** @throws {CrawlError} ARCHIVE_DAMAGED */
export async function checkArchive(
  { folder, warcs, index }: ArchiveFiles,
  signal: AbortSignal,
): Promise<CheckedArchive> {
  const files = new Map<string, FileRecords>();
  let records = 0;
  for (const warc of warcs) {
    const known = new FileRecords();
    files.set(warc, known);
    for await (const { offset, length, type, url, date } of checkedRecords(join(folder, warc), warc, signal)) {
      records += 1;
      if (url === null || date === null || !INDEXED.has(type)) continue;
      known.add(offset, length, type === 'resource' ? Number.NaN : Date.parse(date));
    }
  }
  await checkIndex(join(folder, index), { name: index, files }, signal);
  return {
    records,
    hasFile: (warc) => files.has(warc),
    recordAt: (warc, offset) => {
      const time = files.get(warc)?.timeOf(offset) ?? null;
      if (time === null) return null;
      return { answered: Number.isFinite(time) ? new Date(time).toISOString() : null };
    },
  };
}

async function checkIndex(
  path: string,
  { name, files }: { readonly name: string; readonly files: ReadonlyMap<string, FileRecords> },
  signal: AbortSignal,
): Promise<void> {
  let [at, before] = [0, ''];
  for await (const { text, torn } of linesHolding(path, '')) {
    signal.throwIfAborted();
    const line = torn ? null : readIndexLine(text);
    if (line === null) throw damagedArchive(name, at, torn ? 'it ends within a line' : 'this is no line of an index');
    if (text < before) throw damagedArchive(name, at, 'its lines are not sorted');
    if (files.get(line.filename)?.mark(line.offset, line.length) !== true) {
      throw damagedArchive(name, at, `it names a record in ${line.filename} at ${line.offset} that is not there`);
    }
    [at, before] = [at + Buffer.byteLength(text) + 1, text];
  }
  for (const [warc, known] of files) {
    const missing = known.firstUnmarked();
    if (missing !== null) throw damagedArchive(name, at, `it does not name the record in ${warc} at ${missing}`);
  }
}

/** The places at which records of one file begin: only numbers, as there may be millions. */
class FileRecords {
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #times: number[] = [];
  readonly #marked: boolean[] = [];

  add(offset: number, length: number, time: number): void {
    this.#offsets.push(offset);
    this.#lengths.push(length);
    this.#times.push(time);
    this.#marked.push(false);
  }

  /** The time of a record; NaN where it is no answer, null where there is no record. */
  timeOf(offset: number): number | null {
    const at = this.#find(offset);
    return at === -1 ? null : (this.#times[at] ?? null);
  }

  /** @returns whether such a record is there and was not marked before */
  mark(offset: number, length: number): boolean {
    const at = this.#find(offset);
    if (at === -1 || this.#lengths[at] !== length || this.#marked[at] === true) return false;
    this.#marked[at] = true;
    return true;
  }

  firstUnmarked(): number | null {
    return this.#offsets[this.#marked.indexOf(false)] ?? null;
  }

  /** Binary search: offsets rise. */
  #find(offset: number): number {
    let [low, high] = [0, this.#offsets.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#offsets[middle] ?? 0;
      if (found === offset) return middle;
      if (found < offset) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
