/** Small answers that become large: made once, in pieces that can be sent repeatedly. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Route } from './fixture.ts';

const PIECE = 16 * 1024 * 1024;

/** A piece of raw deflate that ends on a byte and refers to nothing before it: such pieces can be concatenated. */
function deflatePiece(letter: string): Buffer {
  return deflateRawSync(Buffer.alloc(PIECE, letter), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
}

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const ZLIB_HEAD = Buffer.from([0x78, 0xda]);

/** Answers with this many bytes of one letter in a content coding, at about a thousandth of that size on the wire. */
export function packedBomb(coding: 'gzip' | 'deflate', bytes: number, type = 'text/html'): Route {
  const piece = deflatePiece('x');
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-encoding': coding });
    response.write(coding === 'gzip' ? GZIP_HEAD : ZLIB_HEAD);
    let left = Math.ceil(bytes / PIECE);
    const more = (): void => {
      for (; left > 0; left -= 1) {
        if (response.destroyed) return;
        if (!response.write(piece)) {
          left -= 1;
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
  };
}

/** 256 MiB in brotli: some hundred bytes. */
export function brotliBomb(): Route {
  const packed = brotliCompressSync(Buffer.alloc(2 ** 28, 'x'), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' }).end(packed);
}

/** 256 MiB compressed `times` times; the header declares `declared`. */
export function nestedBomb(times: number, declared = times): Route {
  let packed = gzipSync(Buffer.alloc(2 ** 28, 'x'), { level: 9 });
  for (let time = 1; time < times; time += 1) packed = gzipSync(packed);
  const coding = Array.from({ length: declared }, () => 'gzip').join(', ');
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end(packed);
}

/** A PNG with one bit a pixel: 900 million pixels in some hundred kilobytes. */
export function largePicture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** CRC-32 (PNG, annex D). */
function crc32(data: Buffer): number {
  let sum = 0xffffffff;
  for (const octet of data) {
    sum ^= octet;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return (sum ^ 0xffffffff) >>> 0;
}
