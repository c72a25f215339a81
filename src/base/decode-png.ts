/**
 * Reads PNGs as browsers write them: 8 bits a channel, RGB or RGBA, not interlaced (PNG, Third Edition). The size that a file names is checked
 * before anything of that size is made, so a small file cannot take much memory.
 */
import { inflateSync } from 'node:zlib';

/** Pixels in rows from the top, each of red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `width * height * 4` bytes. */
  readonly data: Uint8Array;
}

export type DecodedPng =
  | { readonly kind: 'pixels'; readonly pixels: Pixels }
  /** `not-png`: of another format. `unsupported`: a PNG of another kind. `too-large`: more pixels than the limit. `broken`: cut or damaged. */
  | { readonly kind: 'refused'; readonly why: 'not-png' | 'unsupported' | 'too-large' | 'broken' };

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: 3 or 4. */
  readonly channels: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of length and name before the data of a chunk, and of its checksum after it. */
const CHUNK_HEAD = 8;
const CHUNK_END = 4;
const HEADER_LENGTH = 13;
/** Colour types of section 11.2.1, with their channels. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** @param most pixels; a picture of that size takes eight times as many bytes of memory while it is read */
export function decodePng(bytes: Uint8Array, most: number): DecodedPng {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return { kind: 'refused', why: 'not-png' };
  const header = headerOf(file);
  if (typeof header === 'string') return { kind: 'refused', why: header };
  const { width, height, channels } = header;
  if (width * height > most) return { kind: 'refused', why: 'too-large' };
  const length = (width * channels + 1) * height;
  try {
    const rows = inflateSync(Buffer.concat(dataChunks(file)), { maxOutputLength: length });
    if (rows.length !== length) return { kind: 'refused', why: 'broken' };
    const data = unfiltered(rows, header);
    return data === null ? { kind: 'refused', why: 'broken' } : { kind: 'pixels', pixels: { width, height, data } };
  } catch {
    return { kind: 'refused', why: 'broken' }; // no deflate stream, or a longer one than the size says
  }
}

function headerOf(file: Buffer): Header | 'unsupported' | 'broken' {
  const start = SIGNATURE.length + CHUNK_HEAD;
  if (file.length < start + HEADER_LENGTH || file.toString('latin1', start - 4, start) !== 'IHDR') return 'broken';
  const [width, height] = [file.readUInt32BE(start), file.readUInt32BE(start + 4)];
  const [depth, colour, , , interlaced] = file.subarray(start + 8, start + HEADER_LENGTH);
  const channels = CHANNELS[colour ?? -1];
  if (width === 0 || height === 0) return 'broken';
  return depth === 8 && interlaced === 0 && channels !== undefined ? { width, height, channels } : 'unsupported';
}

/** The compressed rows, piece by piece. */
function dataChunks(file: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let start = SIGNATURE.length;
  while (start + CHUNK_HEAD <= file.length) {
    const length = file.readUInt32BE(start);
    const content = start + CHUNK_HEAD;
    const name = file.toString('latin1', start + 4, content);
    if (name === 'IEND') break;
    if (name === 'IDAT') pieces.push(file.subarray(content, content + length));
    start = content + length + CHUNK_END;
  }
  return pieces;
}

/** Undoes the filters of the rows (section 9.2), in place, and spreads them to four channels. Null for an unknown filter. */
function unfiltered(rows: Buffer, { width, height, channels }: Header): Uint8Array | null {
  const stride = width * channels;
  const data = new Uint8Array(width * height * 4);
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const row = rows.subarray(start + 1, start + 1 + stride);
    if (!unfilterRow(row, above, { filter: rows[start] ?? -1, channels })) return null;
    if (channels === 4) data.set(row, y * stride);
    else spread(row, data.subarray(y * width * 4, (y + 1) * width * 4));
    above = row;
  }
  return data;
}

function unfilterRow(
  row: Uint8Array,
  above: Uint8Array,
  { filter, channels }: { readonly filter: number; readonly channels: number },
): boolean {
  const { length } = row;
  if (filter === 1) for (let x = channels; x < length; x++) row[x] = at(row, x) + at(row, x - channels);
  else if (filter === 2) for (let x = 0; x < length; x++) row[x] = at(row, x) + at(above, x);
  else if (filter === 3) {
    for (let x = 0; x < length; x++) row[x] = at(row, x) + ((before(row, x, channels) + at(above, x)) >> 1);
  } else if (filter === 4) {
    for (let x = 0; x < length; x++) {
      const predicted = paeth(before(row, x, channels), at(above, x), before(above, x, channels));
      row[x] = at(row, x) + predicted;
    }
  }
  return filter >= 0 && filter <= 4;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

/** The same channel of the pixel before; 0 before the first. */
function before(bytes: Uint8Array, index: number, channels: number): number {
  return index < channels ? 0 : at(bytes, index - channels);
}

/** The Paeth predictor (section 9.4). */
function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function spread(row: Uint8Array, to: Uint8Array): void {
  for (let from = 0, pixel = 0; from < row.length; from += 3, pixel += 4) {
    to[pixel] = at(row, from);
    to[pixel + 1] = at(row, from + 1);
    to[pixel + 2] = at(row, from + 2);
    to[pixel + 3] = 255;
  }
}
