/** Finds the next record of a file behind bytes that are none: by its first line, or by the head of a gzip member that unpacks to one. */
import type { FileHandle } from 'node:fs/promises';
import { constants, inflateRawSync } from 'node:zlib';
import { GZIP_MAGIC, gzipHeadLength } from './gzip-head.ts';
import { bytesAt } from './warc-walk.ts';

const FIRST_LINE = /^WARC\/\d+\.\d+[ \t]*\r?\n/;
const LONGEST_FIRST_LINE = 32;
const NAME = Buffer.from('WARC/');
const LINE_FEED = 0x0a;
/** Bytes searched at once. */
const WINDOW = 1024 * 1024;
/** Most bytes that tell whether a place begins a record (arbitrary): the head of a member, which may hold a name, and what unpacks to a line. */
const SIGHT = 4096;
/** Packed bytes that surely hold the first line: the tables of a deflate block take less than 400 (RFC 1951, section 3.2.7). */
const PACKED_LINE = 512;

/** The first place within a part of a file where a record seems to begin; null where there is none. */
export async function nextRecord(
  file: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number | null> {
  for (let at = from; at < to; at += WINDOW) {
    const start = at - 1; // the byte before shows whether a line begins
    const bytes = await bytesAt(file, start, 1 + WINDOW + SIGHT);
    const found = firstIn(bytes, Math.min(1 + WINDOW, to - start));
    if (found !== null) return start + found;
  }
  return null;
}

/** Do these bytes of a file begin with a record, compressed or not? */
export function beginsRecord(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, LONGEST_FIRST_LINE);
  return FIRST_LINE.test(text) || FIRST_LINE.test(unpackedStart(bytes));
}

function firstIn(bytes: Buffer, end: number): number | null {
  let line = bytes.indexOf(NAME, 1);
  let member = bytes.indexOf(GZIP_MAGIC, 1);
  for (;;) {
    const isLine = line !== -1 && (member === -1 || line < member);
    const at = isLine ? line : member;
    if (at === -1 || at >= end) return null;
    const isFirst = !isLine || bytes[at - 1] === LINE_FEED;
    if (isFirst && beginsRecord(bytes.subarray(at, at + SIGHT))) return at;
    if (isLine) line = bytes.indexOf(NAME, at + 1);
    else member = bytes.indexOf(GZIP_MAGIC, at + 1);
  }
}

/** What the first bytes of a gzip member unpack to, as text; empty where they are none. */
function unpackedStart(bytes: Buffer): string {
  const head = gzipHeadLength(bytes);
  if (head === null) return '';
  try {
    const part = inflateRawSync(bytes.subarray(head, head + PACKED_LINE), { finishFlush: constants.Z_SYNC_FLUSH });
    return part.toString('latin1', 0, LONGEST_FIRST_LINE);
  } catch {
    return '';
  }
}
