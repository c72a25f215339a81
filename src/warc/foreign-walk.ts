/**
 * Walks through the records of a WARC file that any tool may have written: each compressed by itself, as the standard recommends, or none
 * (ISO 28500, annex A).
 */
import { open, type FileHandle } from 'node:fs/promises';
import { GZIP_HEAD, gzipHeadLength, LONGEST_GZIP_HEAD } from './gzip-head.ts';
import { beginsRecord, nextRecord } from './next-record.ts';
import { parseRecord } from './warc-parse.ts';
import { bytesAt, endsAs, inflated, KEPT, MEMBER_END_LENGTH, type WalkedRecord } from './warc-walk.ts';

const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d]);
const END_ROOM = 64;
const NOTHING = Buffer.alloc(0);

/** Places without a record that are tried in a file (arbitrary): each may have to be unpacked to its end. */
const TRIED = 1000;

/** A file whose records were compressed all together: none can be read without those before it. */
export class PackedTogether extends Error {}

/** A gzip member without a record; some tools begin a file with an empty one. */
interface Blank {
  readonly length: number;
  readonly record: null;
}

/**
 * The records of a file. Behind a place where none can be read it goes on at the next that seems to begin one.
 * @param onDamage told of the bytes without a record that can be read
 * @throws {PackedTogether}; the error of an unreadable file
 */
export async function* foreignRecords(
  path: string,
  onDamage: (from: number, to: number) => void,
): AsyncGenerator<WalkedRecord, void> {
  const file = await open(path, 'r');
  let [damagedFrom, tried] = [-1, 0];
  const endDamage = (offset: number): void => {
    if (damagedFrom !== -1) onDamage(damagedFrom, offset);
    damagedFrom = -1;
  };
  try {
    const { size } = await file.stat();
    for (let offset = 0; offset < size;) {
      const found = await recordAt(path, file, offset);
      const next = found === null ? null : await behindRecord(file, offset, found);
      if (found === null || next === null) {
        if (damagedFrom === -1) damagedFrom = offset;
        tried += 1;
        const from = offset + 1;
        offset = tried > TRIED ? size : ((await nextRecord(file, { from, to: size })) ?? size);
        continue;
      }
      if (found.record !== null) {
        endDamage(offset);
        yield found;
      }
      offset = next;
    }
    endDamage(size);
  } finally {
    await file.close();
  }
}

async function recordAt(path: string, file: FileHandle, offset: number): Promise<WalkedRecord | Blank | null> {
  const member = await memberAt(path, file, offset);
  return member === null ? plainAt(file, offset) : packedAt(path, file, { ...member, offset });
}

interface Member {
  readonly length: number;
  /** Unpacked, up to {@link KEPT}. */
  readonly kept: Buffer;
  readonly size: number;
  readonly isWhole: boolean;
}

/** Null where no member begins. */
async function memberAt(path: string, file: FileHandle, offset: number): Promise<Member | null> {
  const headLength = gzipHeadLength(await bytesAt(file, offset, LONGEST_GZIP_HEAD));
  if (headLength === null) return null;
  const content = await inflated(path, offset + headLength);
  const { kept, size, packed } = content;
  const length = headLength + packed + MEMBER_END_LENGTH;
  const end = content.isWhole ? await bytesAt(file, offset + headLength + packed, MEMBER_END_LENGTH) : NOTHING;
  return { length, kept, size, isWhole: content.isWhole && endsAs(content, end) };
}

async function packedAt(
  path: string,
  file: FileHandle,
  member: Member & { readonly offset: number },
): Promise<WalkedRecord | Blank | null> {
  const { offset } = member;
  let { length, kept, size, isWhole } = member;
  if (isWhole && size <= END_ROOM && kept.every((byte) => LINE_ENDS.has(byte))) return { length, record: null };
  const record = parseRecord(kept);
  if (record === null) return null;
  const end = record.head.end + record.length;
  while (isWhole && size < end) {
    // some tools pack the head of a record and its block separately
    const more = await memberAt(path, file, offset + length);
    if (more === null || parseRecord(more.kept) !== null) return null;
    kept = Buffer.concat([kept, more.kept]).subarray(0, KEPT);
    isWhole = more.isWhole;
    length += more.length;
    size += more.size;
  }
  if (
    size > end &&
    (end > KEPT ? size > end + END_ROOM : /^\s*WARC\//.test(kept.toString('latin1', end, end + END_ROOM)))
  )
    throw new PackedTogether(path);
  return isWhole ? { offset, length, record, bytes: kept } : null;
}

async function plainAt(file: FileHandle, offset: number): Promise<WalkedRecord | null> {
  const bytes = await bytesAt(file, offset, KEPT);
  const record = parseRecord(bytes);
  if (record === null) return null;
  const length = record.head.end + record.length;
  const { size } = await file.stat();
  return offset + length > size ? null : { offset, length, record, bytes: bytes.subarray(0, length) };
}

/**
 * Where the next record is to begin. Null where a record that is not compressed ends within the next: bytes of it were lost, or its length is
 * wrong.
 */
async function behindRecord(file: FileHandle, offset: number, found: WalkedRecord | Blank): Promise<number | null> {
  const next = await behindLineEnds(file, offset + found.length);
  if (found.record === null || gzipHeadLength(await bytesAt(file, offset, GZIP_HEAD + 1)) !== null) return next;
  const bytes = await bytesAt(file, next, END_ROOM);
  if (bytes.length === 0 || beginsRecord(bytes)) return next;
  const within = await nextRecord(file, { from: offset + found.record.head.end, to: next });
  return within === null ? next : null;
}

/** Two line ends follow a record that is not compressed; some tools write none, or more. */
async function behindLineEnds(file: FileHandle, offset: number): Promise<number> {
  const bytes = await bytesAt(file, offset, END_ROOM);
  const first = bytes.findIndex((byte) => !LINE_ENDS.has(byte));
  return offset + (first === -1 ? bytes.length : first);
}
