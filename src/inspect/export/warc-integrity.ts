/**
 * Reads a file of an archive from its first byte to its last and checks its own claims: every member whole, every record as
 * long as it claims, every digest right. An archive may be from elsewhere; the unpacked bytes are bounded and never kept.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { CrawlError } from '../../base/errors.ts';
import { mebibytes } from '../../base/units.ts';
import { fieldOf, HEAD_LIMIT, parseHead, parseRecord, type ParsedRecord } from '../../warc/warc-parse.ts';

/** Twice the longest body that is stored. */
const RECORD_LIMIT = mebibytes(512);
/** The head of a gzip member without name and extra field, as our records are packed. */
const MEMBER_HEAD = Buffer.from([0x1f, 0x8b, 8, 0]);
const MEMBER_HEAD_LENGTH = 10;
/** Check sum and length. */
const MEMBER_END_LENGTH = 8;
/** Two line ends. */
const RECORD_END_LENGTH = 4;

/** A record as far as the index and the pages refer to it. */
interface CheckedRecord {
  readonly offset: number;
  readonly length: number;
  readonly type: string;
  readonly url: string | null;
  /** ISO 8601 as it stands in the record; null where there is none. */
  readonly date: string | null;
}

/**
 * The records of a file, in order.
 * @param name of the file, for messages
 * @throws {CrawlError} ARCHIVE_DAMAGED at the first faulty place
 */
export async function* checkedRecords(path: string, name: string, signal: AbortSignal): AsyncGenerator<CheckedRecord> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw damagedArchive(name, 0, 'the file is empty');
    for (let offset = 0; offset < size;) {
      signal.throwIfAborted();
      const record = await recordAt({ file, path, name, offset });
      yield record;
      offset += record.length;
    }
  } finally {
    await file.close();
  }
}

export function damagedArchive(name: string, offset: number, why: string, cause?: unknown): CrawlError {
  const message = `the archive is damaged: ${name} at byte ${offset}: ${why}`;
  return new CrawlError('ARCHIVE_DAMAGED', message, {
    data: { file: name, offset },
    ...(cause === undefined ? {} : { cause }),
  });
}

interface Place {
  readonly file: FileHandle;
  readonly path: string;
  readonly name: string;
  readonly offset: number;
}

async function recordAt(place: Place): Promise<CheckedRecord> {
  const { file, name, offset } = place;
  const start = await bytesAt(file, offset, MEMBER_HEAD_LENGTH);
  if (start.length < MEMBER_HEAD_LENGTH || !start.subarray(0, MEMBER_HEAD.length).equals(MEMBER_HEAD)) {
    throw damagedArchive(
      name,
      offset,
      offset === 0 ? 'this is no WARC file packed record by record' : 'no record begins there',
    );
  }
  const content = new RecordCheck(name, offset);
  const packed = await inflate(place, content);
  const end = offset + MEMBER_HEAD_LENGTH + packed;
  const tail = await bytesAt(file, end, MEMBER_END_LENGTH);
  if (tail.length < MEMBER_END_LENGTH) throw damagedArchive(name, offset, 'the file ends within a record');
  if (tail.readUInt32LE(0) !== content.checksum || tail.readUInt32LE(4) !== content.size % 2 ** 32) {
    throw damagedArchive(name, offset, 'the check sum of the packed record is wrong');
  }
  const { head, type } = content.end();
  return {
    offset,
    length: end + MEMBER_END_LENGTH - offset,
    type,
    url: fieldOf(head, 'warc-target-uri'),
    date: fieldOf(head, 'warc-date'),
  };
}

/** @returns how many bytes of the file were unpacked */
async function inflate({ path, name, offset }: Place, content: RecordCheck): Promise<number> {
  const source = createReadStream(path, { start: offset + MEMBER_HEAD_LENGTH });
  const unpacked = createInflateRaw();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const chunk of unpacked) content.add(Buffer.from(chunk));
    return unpacked.bytesWritten;
  } catch (error) {
    if (error instanceof CrawlError) throw error;
    const isCut = error instanceof Error && error.message === 'unexpected end of file';
    throw damagedArchive(name, offset, isCut ? 'the file ends within a record' : 'it cannot be unpacked', error);
  } finally {
    source.destroy();
  }
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** One record as its bytes come. It keeps only the record's head, and the message's head until the payload begins. */
class RecordCheck {
  readonly #name: string;
  readonly #offset: number;
  readonly #block: Hash = createHash('sha256');
  #payload: Hash | null = null;
  #record: ParsedRecord | null = null;
  /** Bytes of the record's head, then of the message's. */
  #kept: Buffer = Buffer.alloc(0);
  #blockLeft = 0;
  size = 0;
  checksum = 0;

  constructor(name: string, offset: number) {
    this.#name = name;
    this.#offset = offset;
  }

  add(bytes: Buffer): void {
    this.size += bytes.length;
    this.checksum = crc32(bytes, this.checksum);
    if (this.#record !== null) {
      this.#addBlock(bytes);
      return this.#bound(this.#record);
    }
    this.#kept = Buffer.concat([this.#kept, bytes]);
    this.#record = parseRecord(this.#kept);
    if (this.#record === null) {
      if (this.#kept.length > HEAD_LIMIT) throw this.#damaged('what is packed there is no WARC record');
      return;
    }
    const block = this.#kept.subarray(this.#record.head.end);
    this.#kept = Buffer.alloc(0);
    this.#blockLeft = this.#record.length;
    this.#addBlock(block);
    this.#bound(this.#record);
  }

  /** Refuses more bytes than claimed as soon as they come: few bytes may unpack to endlessly many. */
  #bound({ head, length }: ParsedRecord): void {
    if (length > RECORD_LIMIT) throw this.#damaged(`its record claims more than ${RECORD_LIMIT} bytes`);
    if (this.size > head.end + length + RECORD_END_LENGTH) {
      throw this.#damaged(`its record claims a block of ${length} bytes and has more`);
    }
  }

  end(): ParsedRecord {
    const record = this.#record;
    if (record === null) throw this.#damaged('what is packed there is no WARC record');
    if (this.size !== record.head.end + record.length + RECORD_END_LENGTH) {
      throw this.#damaged(`its record claims a block of ${record.length} bytes and has less`);
    }
    this.#compare(record, 'warc-block-digest', this.#block);
    // a revisit has the digest of a payload that it does not contain
    if (record.type !== 'revisit' && this.#payload !== null)
      this.#compare(record, 'warc-payload-digest', this.#payload);
    return record;
  }

  #addBlock(bytes: Buffer): void {
    const block = bytes.subarray(0, this.#blockLeft);
    this.#blockLeft -= block.length;
    this.#block.update(block);
    if (this.#payload !== null) {
      this.#payload.update(block);
      return;
    }
    if (this.#record?.type !== 'response' && this.#record?.type !== 'request') {
      this.#payload = createHash('sha256').update(block);
      return;
    }
    this.#kept = Buffer.concat([this.#kept, block]);
    const http = parseHead(this.#kept, 0, 'latin1');
    if (http === null && this.#kept.length <= HEAD_LIMIT) return;
    this.#payload = createHash('sha256').update(this.#kept.subarray(http?.end ?? 0));
    this.#kept = Buffer.alloc(0);
  }

  #compare({ head }: ParsedRecord, field: string, hash: Hash): void {
    const claimed = /^sha-?256:([0-9a-f]{64})$/i.exec(fieldOf(head, field) ?? '')?.[1];
    if (claimed === undefined) return; // none, or of a kind that our archives do not have
    if (claimed.toLowerCase() !== hash.digest('hex')) throw this.#damaged(`its ${field} is wrong`);
  }

  #damaged(why: string): CrawlError {
    return damagedArchive(this.#name, this.#offset, why);
  }
}
