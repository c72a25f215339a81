/**
 * Unpacks gzip and deflate as browsers do: the packed text alone counts. A checksum that is wrong or missing, and whatever follows the text
 * (a line feed that PHP sends after `?>`), change nothing; nor does a `deflate` without its zlib wrapper. A second gzip member is not read.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { kibibytes } from './units.ts';

/** Most bytes before the text: names and comments of a gzip file (arbitrary). */
const HEAD_LIMIT = kibibytes(16);
/** The part of a gzip head that is always there, its first bytes, and flags of further parts (RFC 1952 section 2.3.1). */
const GZIP_HEAD = 10;
const GZIP_MAGIC = 0x1f8b08;
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/** Number of bytes before the packed text; null where more bytes are needed to say, infinite where the bytes are something else. */
type LengthOfHead = (start: Buffer) => number | null;

/** The decoders of a wrapper, in order of application. */
export function inflaters(wrapper: 'gzip' | 'deflate'): readonly [Unwrapping, InflateRaw] {
  const inflate = createInflateRaw();
  return [new Unwrapping(wrapper === 'gzip' ? gzipHead : zlibHead, inflate), inflate];
}

type InflateRaw = ReturnType<typeof createInflateRaw>;

/** Takes away what stands before the packed text. */
class Unwrapping extends Transform {
  readonly #lengthOfHead: LengthOfHead;
  readonly #inflate: InflateRaw;
  /** The bytes so far, while the head is not over. */
  #start: Buffer | null = Buffer.alloc(0);
  #headLength = 0;

  constructor(lengthOfHead: LengthOfHead, inflate: InflateRaw) {
    super();
    this.#lengthOfHead = lengthOfHead;
    this.#inflate = inflate;
  }

  /** Bytes over the wire that are unpacked, as zlib's streams count them. */
  get bytesWritten(): number {
    return (this.#start?.length ?? this.#headLength) + this.#inflate.bytesWritten;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, next: TransformCallback): void {
    if (this.#start === null) return next(null, chunk);
    const start = Buffer.concat([this.#start, chunk]);
    const length = this.#lengthOfHead(start);
    if ((length ?? start.length) > HEAD_LIMIT) return next(new WrongWrapper('no head of a packed text'));
    const isOver = length !== null && length <= start.length;
    this.#start = isOver ? null : start;
    this.#headLength = length ?? 0;
    return isOver ? next(null, start.subarray(length)) : next();
  }
}

/** The head of RFC 1952 section 2.3. @returns a length beyond the start where bytes that are counted there are still to come */
function gzipHead(start: Buffer): number | null {
  if (start.length < GZIP_HEAD) return null;
  if (start.readUIntBE(0, 3) !== GZIP_MAGIC) return Number.POSITIVE_INFINITY;
  const flags = start[3] ?? 0;
  let at = GZIP_HEAD;
  if ((flags & HAS_EXTRA) !== 0) {
    if (start.length < at + 2) return null;
    at += 2 + start.readUInt16LE(at);
  }
  for (const part of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & part) === 0) continue;
    const end = start.indexOf(0, at);
    if (end === -1) return null;
    at = end + 1;
  }
  return (flags & HAS_CHECKSUM) === 0 ? at : at + 2;
}

/** The two bytes of RFC 1950 section 2.2, which some servers leave out. */
function zlibHead(start: Buffer): number | null {
  if (start.length < 2) return null;
  const first = start.readUInt16BE(0);
  return (first & 0x8f00) === 0x0800 && first % 31 === 0 ? 2 : 0;
}

class WrongWrapper extends Error {
  /** As zlib names it. */
  readonly code = 'Z_DATA_ERROR';
}
