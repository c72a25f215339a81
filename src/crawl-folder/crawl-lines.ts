/**
 * Reads the growing files of a crawl folder, without Redis, whether the crawl runs, has ended, or was killed while it wrote a line. Files
 * may be gigabytes: lines are searched as bytes, and only those that match become text.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { systemCode } from './disk-error.ts';

const PIECE = 1024 * 1024;
/** For small files, which may grow meanwhile: a whole piece for each of them kept the garbage collector busy. */
const LEAST_PIECE = 64 * 1024;
/** A longer line is not one of ours. */
const LINE_LIMIT = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

export interface FoundLine {
  readonly text: string;
  /** The last line, without its end: the process was killed while it wrote it. */
  readonly torn: boolean;
}

/**
 * The lines of a file that hold a text, in order, and its torn last line whatever that holds. A file that is not there
 * has no lines.
 * @param needle as it stands in the file; empty for all lines
 * @throws the error of a file that cannot be read
 */
export async function* linesHolding(path: string, needle: string): AsyncGenerator<FoundLine> {
  const wanted = Buffer.from(needle);
  for await (const { lines, torn } of wholeLines(path)) {
    if (torn) yield { text: lines.toString('utf8'), torn };
    else for (const text of matching(lines, wanted)) yield { text, torn };
  }
}

/** The lines of a stretch of a file that hold a text, in order. @param stretch of whole lines; nothing where the file is shorter */
export async function* linesWithin(
  file: FileHandle,
  stretch: { readonly offset: number; readonly length: number },
  needle: string,
): AsyncGenerator<string> {
  const { size } = await file.stat();
  const length = Math.max(0, Math.min(stretch.length, size - stretch.offset));
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, stretch.offset);
  yield* matching(bytes.subarray(0, bytesRead), Buffer.from(needle));
}

/** The text of a JSON field as it stands in a line: `"url":"https://example.org/"`. */
export function jsonFieldText(name: string, value: string): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

/** Stretches of whole lines, each with its last line feed; then the rest of the file, a torn line. */
export async function* wholeLines(path: string): AsyncGenerator<{ readonly lines: Buffer; readonly torn: boolean }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  await using _closing = { [Symbol.asyncDispose]: () => file.close() };
  let rest: Buffer = Buffer.alloc(0);
  const { size } = await file.stat();
  const piece = Buffer.alloc(Math.min(Math.max(size, LEAST_PIECE), PIECE));
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) break;
    const text = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    const end = text.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield { lines: text.subarray(0, end), torn: false };
    rest = text.subarray(end);
    if (rest.length > LINE_LIMIT) throw new Error(`${path} has a line of more than ${LINE_LIMIT} bytes`);
  }
  if (rest.length > 0) yield { lines: rest, torn: true };
}

function* matching(lines: Buffer, wanted: Buffer): Generator<string> {
  let from = 0;
  while (from < lines.length) {
    const hit = lines.indexOf(wanted, from);
    if (hit === -1) return;
    const start = hit === 0 ? 0 : lines.lastIndexOf(LINE_FEED, hit - 1) + 1;
    const end = lines.indexOf(LINE_FEED, hit);
    if (end > start) yield lines.toString('utf8', start, end);
    from = end + 1;
  }
}
