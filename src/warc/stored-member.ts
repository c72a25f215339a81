/**
 * A gzip member with a compressed first part and a stored rest, for records with compressed content. zlib would search
 * for repetitions, without finding any, at 100 MB/s; only a checksum is needed.
 */
import { constants, crc32, deflateRawSync, type ZlibOptions } from 'node:zlib';

/** RFC 1952, section 2.3: deflate, no name, no time, unknown system. */
const MEMBER_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** RFC 1951, section 3.2.4: a stored block has a length of 16 bits. */
const BLOCK_LIMIT = 0xffff;

/** @param pieces the bytes to store, in order; may be empty */
export function storedMember(compressed: Uint8Array, pieces: readonly Uint8Array[]): Buffer {
  const stored = pieces.filter(({ length }) => length > 0); // zlib's checksum of an empty piece starts from zero
  // the flush ends it at a byte boundary, and it is not the last block
  const first = deflateRawSync(compressed, {
    ...fittingMemory(compressed.length),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  const blocks = stored.flatMap(inBlocks);
  const last = Buffer.from([1, 0, 0, 0xff, 0xff]); // an empty last block
  const size = stored.reduce((sum, { length }) => sum + length, compressed.length);
  const check = stored.reduce((sum, piece) => crc32(piece, sum), crc32(compressed));
  const end = Buffer.alloc(8);
  end.writeUInt32LE(check, 0);
  end.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([MEMBER_HEAD, first, ...blocks, last, end]);
}

/** Longest piece that fits into the smaller window. */
const SHORT = 4096;

/**
 * zlib's options for a piece of this length. For short pieces a third of the time is spent on unused memory: zlib
 * clears its tables, and allocates a page of memory for the output.
 */
export function fittingMemory(length: number): ZlibOptions {
  return length > SHORT ? {} : { windowBits: 12, memLevel: 5, chunkSize: Math.max(length, constants.Z_MIN_CHUNK) };
}

function inBlocks(piece: Uint8Array): readonly Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < piece.length; at += BLOCK_LIMIT) {
    const block = piece.subarray(at, at + BLOCK_LIMIT);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(BLOCK_LIMIT - block.length, 3);
    blocks.push(head, block);
  }
  return blocks;
}
