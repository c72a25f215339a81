/** Walks through a file of an archive, record by record, as far as they are whole. */
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { parseRecord, type ParsedRecord } from './warc-parse.ts';

export interface WalkedRecord {
  /** Offset and length of its member in the file. */
  readonly offset: number;
  readonly length: number;
  readonly record: ParsedRecord;
  /** The unpacked record, as far as it is kept: head, and block up to {@link KEPT}. */
  readonly bytes: Buffer;
}

/** Most bytes kept of a record: enough for the heads of a record and of its message, and for the part of a body that an index needs. */
export const KEPT: number = 1024 * 1024;
/** Head of a gzip member as zlib writes it: no name, no extra field. */
const MEMBER_HEAD = Buffer.from([0x1f, 0x8b, 8, 0]);
const MEMBER_HEAD_LENGTH = 10;
/** Checksum and length. */
export const MEMBER_END_LENGTH = 8;
const RECORD_END_LENGTH = 4;

/** The whole records from the start of a record at an offset; ends before the first incomplete one. */
export async function* wholeRecords(path: string, from: number): AsyncGenerator<WalkedRecord> {
  const file = await open(path, 'r');
  try {
    for (let offset = from; ;) {
      const record = await recordAt(path, file, offset);
      if (record === null) return;
      yield record;
      offset += record.length;
    }
  } finally {
    await file.close();
  }
}

async function recordAt(path: string, file: FileHandle, offset: number): Promise<WalkedRecord | null> {
  const start = await bytesAt(file, offset, MEMBER_HEAD_LENGTH);
  if (start.length < MEMBER_HEAD_LENGTH || !start.subarray(0, MEMBER_HEAD.length).equals(MEMBER_HEAD)) return null;
  const content = await inflated(path, offset + MEMBER_HEAD_LENGTH);
  if (!content.isWhole) return null;
  const end = offset + MEMBER_HEAD_LENGTH + content.packed;
  if (!endsAs(content, await bytesAt(file, end, MEMBER_END_LENGTH))) return null;
  const record = parseRecord(content.kept);
  if (record === null || record.head.end + record.length + RECORD_END_LENGTH !== content.size) return null;
  return { offset, length: end + MEMBER_END_LENGTH - offset, record, bytes: content.kept };
}

export async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

interface Inflated {
  readonly kept: Buffer;
  readonly size: number;
  readonly check: number;
  /** Number of bytes that it took in the file. */
  readonly packed: number;
  /** False where the stream is broken or does not end: then all of this is of the part before that place. */
  readonly isWhole: boolean;
}

/** @param end the last bytes of the member */
export function endsAs({ check, size }: Inflated, end: Buffer): boolean {
  if (end.length < MEMBER_END_LENGTH) return false;
  return end.readUInt32LE(0) === check && end.readUInt32LE(4) === size % 2 ** 32;
}

/** Inflates a member. */
export async function inflated(path: string, start: number): Promise<Inflated> {
  const source = createReadStream(path, { start });
  const inflate = createInflateRaw();
  source.on('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  const kept: Buffer[] = [];
  let [size, check, room] = [0, 0, KEPT];
  let isWhole = true;
  try {
    for await (const chunk of inflate) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      check = crc32(bytes, check);
      if (room > 0) kept.push(bytes.subarray(0, room));
      room -= bytes.length;
    }
  } catch {
    isWhole = false;
  } finally {
    source.destroy();
  }
  return { kept: Buffer.concat(kept), size, check, packed: inflate.bytesWritten, isWhole };
}
