/** Reads a body within limits while decoding: a decompression bomb is cut as soon as its output exceeds the limit. */
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { mebibytes } from '../base/units.ts';
import { errorCodeOf, networkFailureOf } from '../egress/network-failure.ts';
import type { Truncation } from '../model/truncation.ts';

interface ReadBody {
  readonly body: Uint8Array;
  readonly truncated: Truncation | null;
}

type Decoder =
  | ReturnType<typeof createGunzip>
  | ReturnType<typeof createBrotliDecompress>
  | ReturnType<typeof createInflate>;

/**
 * From this size on, a body's ratio of decoded size to bytes over the wire is limited (design/reliability,
 * "Answers of servers").
 */
const RATIO_FREE = mebibytes(1);
const RATIO_LIMIT = 100;
/** Most content encodings of a body. Some servers compress twice by mistake; three times is an attack (hostile F29). */
const ENCODING_LIMIT = 2;

/** Decoders in order of application; null where an encoding is unknown or there are too many. */
export function decodersFor(contentEncoding: string): readonly Decoder[] | null {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > ENCODING_LIMIT) return null;
  const decoders = names.toReversed().map(decoderFor);
  return decoders.includes(null) ? null : decoders.filter((decoder) => decoder !== null);
}

function decoderFor(name: string): Decoder | null {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return null;
  }
}

/** Limits for reading a body. */
interface BodyLimit {
  /** Decoded bytes to keep. */
  readonly kept: number;
  /** Decoded bytes to receive, for the archive; default: the bytes to keep. */
  readonly read?: number | null;
}

/** Reads the body up to the limit, or up to its end, failure or abort. Never rejects. */
export async function readBody(
  source: Readable,
  decoders: readonly Decoder[],
  { kept, read = null }: BodyLimit,
  signal: AbortSignal,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  const most = Math.max(kept, read ?? 0);
  let size = 0;
  const take = (chunk: Buffer): Cut | null => {
    if (size < kept) chunks.push(chunk.subarray(0, kept - size));
    size += chunk.length;
    const wire = decoders[0]?.bytesWritten ?? size;
    if (size > most) return new Cut('length');
    return size > RATIO_FREE && size > wire * RATIO_LIMIT ? new Cut('ratio') : null;
  };
  const body = (): Buffer => Buffer.concat(chunks);
  try {
    if (decoders.length === 0) await pour(source, take, signal);
    else await pipeline([source, ...decoders, sinkOf(take)], { signal });
    return { body: body(), truncated: size > kept ? 'length' : null };
  } catch (error) {
    return { body: body(), truncated: signal.aborted ? 'time' : truncationOf(error) };
  }
}

type TakeChunk = (chunk: Buffer) => Cut | null;

function sinkOf(take: TakeChunk): Writable {
  return new Writable({ write: (chunk: Buffer, _encoding, next) => next(take(chunk)) });
}

/** Pours an undecoded body into `take`, without the streams, signals and errors that a pipeline creates for each body. */
function pour(source: Readable, take: TakeChunk, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', stop);
      source.destroy();
      reject(error);
    };
    const stop = (): void => fail(signal.reason);
    // events that have already happened are not emitted again
    if (signal.aborted) return stop();
    if (source.destroyed) return fail(source.errored);
    signal.addEventListener('abort', stop, { once: true });
    source.once('error', fail);
    source.once('close', () => fail(new Error('the body was closed before its end')));
    source.once('end', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    source.on('data', (chunk: Buffer) => {
      const cut = take(chunk);
      if (cut !== null) fail(cut);
    });
  });
}

/** Ends a body that has reached one of our limits. */
class Cut extends Error {
  readonly why: 'length' | 'ratio';

  constructor(why: 'length' | 'ratio') {
    super(`the body is cut for its ${why}`);
    this.why = why;
  }
}

function truncationOf(error: unknown): Truncation {
  if (error instanceof Cut) return error.why;
  if (networkFailureOf(error) === 'timeout') return 'time';
  const code = errorCodeOf(error);
  // zlib's codes have these prefixes; those of brotli are named after its constants
  return code !== null && /^(?:Z_|ERR__?(?:ERROR|BROTLI|DECODER)|ERR_TRAILING_JUNK)/.test(code)
    ? 'encoding'
    : 'disconnect';
}
