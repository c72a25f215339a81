/** A record as stored in the file: each is compressed separately by gzip, so that it can be read without those before it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import { fittingMemory, storedMember } from './stored-member.ts';
import { RECORD_END } from './warc-record.ts';

/** The block of a record; a body too large for memory is in a file. */
export interface WarcBlock {
  /** Pieces of the block; for a message, its head first. */
  readonly pieces: readonly Uint8Array[];
  readonly file: string | null;
  /** Is its content already compressed? Then only the head is compressed. */
  readonly packed: boolean;
}

/** Compressed bytes, in memory or in a file. */
export type WarcMember =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly length: number }
  | { readonly kind: 'file'; readonly path: string; readonly length: number };

/**
 * zlib's levels. Pages, sheets and scripts shrink to 24.6 % at level 6 with 32 to 39 MB/s, to 25.4 % at level 4 with 45 to 50;
 * compressed content from a file gains nothing from levels above 1.
 */
const TEXT_LEVEL = 4;
const PACKED_LEVEL = 1;
const EMPTY = Buffer.alloc(0);

/** Size from which records are packed in another thread: for a shorter one the transfer costs four times the packing (a request: 150 us, not 30). */
const AT_ONCE = 64 * 1024;

/**
 * Packs a record, synchronously unless it is long.
 * @param head of the record, see `warcHeadBytes`
 * @param packedFile path for the result if the block is in a file
 */
export function packRecord(
  head: Uint8Array,
  block: WarcBlock,
  packedFile: () => string,
): WarcMember | Promise<WarcMember> {
  if (block.file !== null) return packedFromFile(head, block, packedFile());
  if (block.packed) {
    const [messageHead = EMPTY, ...body] = block.pieces;
    return inMemory(storedMember(Buffer.concat([head, messageHead]), [...body, RECORD_END]));
  }
  const record = Buffer.concat([head, ...block.pieces, RECORD_END]);
  if (record.length >= AT_ONCE) return gzipped(record, { level: TEXT_LEVEL }).then(inMemory);
  return inMemory(gzipSync(record, { ...fittingMemory(record.length), level: TEXT_LEVEL }));
}

function inMemory(bytes: Buffer): WarcMember {
  return { kind: 'bytes', bytes, length: bytes.length };
}

async function packedFromFile(head: Uint8Array, block: WarcBlock, path: string): Promise<WarcMember> {
  const gzip = createGzip({ level: block.packed ? PACKED_LEVEL : TEXT_LEVEL });
  await pipeline(Readable.from(unpacked(head, block)), gzip, createWriteStream(path, { mode: 0o600 }));
  return { kind: 'file', path, length: (await stat(path)).size };
}

async function* unpacked(head: Uint8Array, { pieces, file }: WarcBlock): AsyncGenerator<Uint8Array> {
  yield head;
  yield* pieces;
  if (file !== null) yield* createReadStream(file);
  yield RECORD_END;
}

function gzipped(bytes: Uint8Array, options: { readonly level: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, options, (error, packed) => {
      if (error === null) resolve(packed);
      else reject(error);
    });
  });
}

const PACKED_TYPE =
  /^(?:image\/(?!svg|bmp|x-ms-bmp)|video\/|audio\/|font\/woff|application\/(?:zip|gzip|x-gzip|pdf|font-woff|x-7z|x-bzip|zstd))/i;

/** Is a body of this kind already compressed? */
export function isGzip(contentEncoding: string | null, mime: string | null): boolean {
  const encoded = contentEncoding !== null && !/^(?:identity)?$/i.test(contentEncoding.trim());
  return encoded || (mime !== null && PACKED_TYPE.test(mime));
}
