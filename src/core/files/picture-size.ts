/** Width and height of a picture out of the first bytes of its file. Nothing is decoded. */

interface PictureSize {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly width: number;
  readonly height: number;
}

/** Segments of a JPEG that are passed over on the way to its size. */
const SEGMENT_LIMIT = 500;

/** Null where the bytes are none of the known formats, or end too soon. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  return size === null || size.width === 0 || size.height === 0 ? null : size;
}

function startsWith(view: DataView, at: number, word: string): boolean {
  if (view.byteLength < at + word.length) return false;
  return word.split('').every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0));
}

/** The header chunk comes first (PNG, section 11.2.2). */
function png(view: DataView): PictureSize | null {
  if (!startsWith(view, 0, '\x89PNG\r\n\x1a\n') || !startsWith(view, 12, 'IHDR') || view.byteLength < 24) return null;
  return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): PictureSize | null {
  if (!(startsWith(view, 0, 'GIF87a') || startsWith(view, 0, 'GIF89a')) || view.byteLength < 10) return null;
  return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Three kinds of WebP (RFC 9649): lossy, lossless, extended. */
function webp(view: DataView): PictureSize | null {
  if (!startsWith(view, 0, 'RIFF') || !startsWith(view, 8, 'WEBP') || view.byteLength < 30) return null;
  const format = 'webp';
  if (startsWith(view, 12, 'VP8X')) return { format, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (startsWith(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const packed = view.getUint32(21, true);
    return { format, width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
  }
  if (!startsWith(view, 12, 'VP8 ') || !startsWith(view, 23, '\x9d\x01\x2a')) return null;
  return { format, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

/** The size stands in the frame header, after segments of any length (ITU T.81, B.2.2). */
function jpeg(view: DataView): PictureSize | null {
  if (!startsWith(view, 0, '\xff\xd8\xff')) return null;
  let at = 2;
  for (let segment = 0; segment < SEGMENT_LIMIT && at + 9 <= view.byteLength; segment++) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1; // padding
    else if (isFrameHeader(marker))
      return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else if (marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** C0 to CF, except the tables among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
