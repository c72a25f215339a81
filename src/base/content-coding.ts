/**
 * Undoes content codings as browsers do. One decoder reads bodies from the network and from an archive, so that a crawl and what was recorded
 * of it have the same text.
 */
import { Writable, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { inflaters } from './inflate.ts';

/** One stream of those that decode a body. The first one counts the bytes that came over the wire. */
export type Decoder = Transform & { readonly bytesWritten?: number };

/** Most content encodings of a body. Some servers compress twice by mistake; three times is an attack (hostile F29). */
const ENCODING_LIMIT = 2;

const DECODERS: ReadonlyMap<string, () => readonly Decoder[]> = new Map<string, () => readonly Decoder[]>([
  ['gzip', () => inflaters('gzip')],
  ['x-gzip', () => inflaters('gzip')],
  ['br', () => [createBrotliDecompress()]],
  ['deflate', () => inflaters('deflate')],
]);
/** Content codings that are registered with IANA and not decoded here. Any other word that names no coding is a mistake about plain bytes. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);

/**
 * Decoders in order of application; null where an encoding cannot be decoded or there are too many. A word that names no coding
 * (`utf-8`, `none`, `text/html`) is a mistake about a body that is sent as it is, as browsers have it.
 */
export function decodersFor(contentEncoding: string): readonly Decoder[] | null {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.some((name) => UNREADABLE.has(name))) return null;
  const decoders = names.flatMap((name) => DECODERS.get(name) ?? []);
  return decoders.length > ENCODING_LIMIT ? null : decoders.toReversed().flatMap((open) => open());
}

/**
 * Pours a body through its decoders, of which there is at least one.
 * @param take gets each decoded piece; an error that it returns ends the decoding
 * @throws that error, one of the source, or one of the coding ({@link isCodingFault}); what was decoded before it has been taken
 */
export async function decodeInto(
  source: Readable,
  decoders: readonly Decoder[],
  take: (piece: Buffer) => Error | null,
  signal?: AbortSignal,
): Promise<void> {
  const sink = new Writable({ write: (piece: Buffer, _encoding, next) => next(take(piece)) });
  let isEmpty = true;
  source.once('data', () => (isEmpty = false));
  try {
    await pipeline([source, ...decoders, sink], signal === undefined ? {} : { signal });
  } catch (error) {
    // the packed text has ended: bytes after it, however many or late, are not of the body; nor is nothing a fault
    const isWhole = sink.writableFinished || (isEmpty && isCodingFault(error));
    if (!isWhole) throw error;
  }
}

/** Does the error say that bytes do not fit their coding, or end within it? */
export function isCodingFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // zlib's codes have these prefixes; those of brotli are named after its constants
  return /^(?:Z_|ERR__?(?:ERROR|BROTLI|DECODER)|ERR_TRAILING_JUNK)/.test(code);
}
