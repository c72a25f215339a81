/**
 * Walks through the records of a WARC file that any tool may have written: each compressed by itself, as the standard recommends, or none
 * (ISO 28500, annex A).
 */
import { open, type FileHandle } from 'node:fs/promises';
import { parseRecord } from './warc-parse.ts';
import { bytesAt, inflated, KEPT, type WalkedRecord } from './warc-walk.ts';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 8]);
const GZIP_HEAD = 10;
/** Checksum and length. */
const GZIP_END = 8;
/** Parts of a gzip head beyond its first ten bytes (RFC 1952, section 2.3.1). */
const [HAS_CHECK, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [2, 4, 8, 16];
/** Most bytes of a gzip head (arbitrary): a name, and what some tools keep beside it. */
const LONGEST_GZIP_HEAD = 70_000;
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d]);
const END_ROOM = 64;

/** A file whose records were compressed all together: none can be read without those before it. */
export class PackedTogether extends Error {}

/**
 * The records from the start of a file to its end, or to the first that is broken.
 * @returns the offset of that one; null at the end of the file
 * @throws {PackedTogether}; the error of an unreadable file
 */
export async function* foreignRecords(path: string): AsyncGenerator<WalkedRecord, number | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let offset = 0; offset < size;) {
      const record = await recordAt(path, file, offset);
      if (record === null) return offset;
      yield record;
      offset = await behindLineEnds(file, offset + record.length);
    }
    return null;
  } finally {
    await file.close();
  }
}

async function recordAt(path: string, file: FileHandle, offset: number): Promise<WalkedRecord | null> {
  const start = await bytesAt(file, offset, LONGEST_GZIP_HEAD);
  const isPacked = start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  return isPacked ? packedAt(path, start, offset) : plainAt(file, offset);
}

async function packedAt(path: string, start: Buffer, offset: number): Promise<WalkedRecord | null> {
  const headLength = gzipHeadLength(start);
  const content = headLength === null ? null : await inflated(path, offset + headLength);
  const record = content === null ? null : parseRecord(content.kept);
  if (headLength === null || content === null || record === null) return null;
  const end = record.head.end + record.length;
  const goesOn = content.size > end + END_ROOM;
  if (goesOn && (end > KEPT || /^\s*WARC\//.test(content.kept.toString('latin1', end, end + END_ROOM))))
    throw new PackedTogether(path);
  return { offset, length: headLength + content.packed + GZIP_END, record, bytes: content.kept };
}

async function plainAt(file: FileHandle, offset: number): Promise<WalkedRecord | null> {
  const bytes = await bytesAt(file, offset, KEPT);
  const record = parseRecord(bytes);
  if (record === null) return null;
  const length = record.head.end + record.length;
  const { size } = await file.stat();
  return offset + length > size ? null : { offset, length, record, bytes: bytes.subarray(0, length) };
}

/** Two line ends follow a record that is not compressed; some tools write none, or more. */
async function behindLineEnds(file: FileHandle, offset: number): Promise<number> {
  const bytes = await bytesAt(file, offset, END_ROOM);
  const first = bytes.findIndex((byte) => !LINE_ENDS.has(byte));
  return offset + (first === -1 ? bytes.length : first);
}

/** Null where the head is none, or does not end. */
function gzipHeadLength(bytes: Buffer): number | null {
  const flags = bytes[3] ?? 0;
  let at = GZIP_HEAD;
  if ((flags & HAS_EXTRA) !== 0) at += bytes.length < at + 2 ? bytes.length : 2 + bytes.readUInt16LE(at);
  for (const part of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & part) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    at = end + 1;
  }
  if ((flags & HAS_CHECK) !== 0) at += 2;
  return at < bytes.length ? at : null;
}
