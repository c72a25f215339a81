/**
 * Creates the sorted index of an archive from its journal, in constant memory: runs of lines are
 * sorted and written, then merged. The journal is removed once the index is on disk.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { linesHolding } from '../crawl-folder/crawl-lines.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import { syncFolder } from '../crawl-folder/sync-folder.ts';
import { indexLine } from './cdxj-line.ts';
import { syncFile } from './file-handle.ts';
import { INDEX_FILE, INDEX_JOURNAL } from './archive-names.ts';

/** Bytes of lines sorted at once. */
const RUN_LIMIT = 32 * 1024 * 1024;
/** Lines written to the file at once. */
const WRITTEN_AT_ONCE = 256;

/** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
export async function cdxjSort(folder: string, runLimit: number = RUN_LIMIT): Promise<void> {
  const runs = join(folder, `${INDEX_FILE}.runs`);
  const sorted = join(folder, `${INDEX_FILE}.sorted`);
  const index = join(folder, INDEX_FILE);
  try {
    await rm(runs, { recursive: true, force: true });
    await mkdir(runs, { mode: 0o700 });
    const names = await writeRuns(join(folder, INDEX_JOURNAL), runs, runLimit);
    await pipeline(Readable.from(inPieces(merged(names))), createWriteStream(sorted, { mode: 0o600 }));
    await syncFile(sorted);
    await rename(sorted, index);
    await syncFolder(folder);
    await rm(join(folder, INDEX_JOURNAL), { force: true });
  } catch (error) {
    throw diskError(error, index);
  } finally {
    await rm(runs, { recursive: true, force: true });
    await rm(sorted, { force: true });
  }
}

async function writeRuns(journal: string, folder: string, limit: number): Promise<readonly string[]> {
  const names: string[] = [];
  let lines: string[] = [];
  let size = 0;
  const write = async (): Promise<void> => {
    const name = join(folder, String(names.length));
    lines.sort(); // all lines are ASCII, so the order by code units is that by bytes
    await writeFile(name, lines.map((line) => `${line}\n`).join(''), { encoding: 'latin1', mode: 0o600 });
    names.push(name);
    [lines, size] = [[], 0];
  };
  for await (const line of linesOf(journal)) {
    lines.push(indexLine(line));
    size += line.length;
    if (size > limit) await write();
  }
  if (lines.length > 0) await write();
  return names;
}

interface Run {
  line: string;
  readonly rest: AsyncIterator<string>;
}

/** Merges any number of runs, holding one line of each. */
async function* merged(names: readonly string[]): AsyncGenerator<string> {
  const heap: Run[] = [];
  for (const name of names) {
    const rest = linesOf(name)[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done !== true) heap.push({ line: first.value, rest });
  }
  heap.sort((one, other) => compare(one.line, other.line));
  for (let least = heap[0]; least !== undefined; least = heap[0]) {
    yield least.line;
    const next = await least.rest.next();
    if (next.done === true) heap.shift();
    else least.line = next.value;
    settle(heap);
  }
}

/** Moves the first run to its place; the others are in order. A hundred runs mean three gigabytes of index, so a linear walk is enough. */
function settle(runs: Run[]): void {
  for (let at = 0; ; at += 1) {
    const [one, other] = [runs[at], runs[at + 1]];
    if (one === undefined || other === undefined || compare(one.line, other.line) <= 0) return;
    [runs[at], runs[at + 1]] = [other, one];
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { text, torn } of linesHolding(path, '')) if (!torn) yield text;
}

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let held: string[] = [];
  for await (const line of lines) {
    held.push(line, '\n');
    if (held.length < 2 * WRITTEN_AT_ONCE) continue;
    yield Buffer.from(held.join(''), 'latin1');
    held = [];
  }
  yield Buffer.from(held.join(''), 'latin1');
}
