/** Reads a body within limits while decoding: a decompression bomb is cut as soon as its output exceeds the limit. */
import type { Readable } from 'node:stream';
import { decodeInto, isCodingFault, type Decoder } from '../base/content-coding.ts';
import { mebibytes } from '../base/units.ts';
import { networkFailureOf } from '../egress/network-failure.ts';
import type { Truncation } from '../model/truncation.ts';

interface ReadBody {
  readonly body: Uint8Array;
  readonly truncated: Truncation | null;
}

/**
 * From this size on, a body's ratio of decoded size to bytes over the wire is limited (design/reliability,
 * "Answers of servers").
 */
const RATIO_FREE = mebibytes(1);
const RATIO_LIMIT = 100;

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
  let truncated: Truncation | null = null;
  try {
    await (decoders.length === 0 ? pour(source, take, signal) : decodeInto(source, decoders, take, signal));
  } catch (error) {
    truncated = signal.aborted ? 'time' : truncationOf(error);
  }
  return { body: Buffer.concat(chunks), truncated: truncated ?? (size > kept ? 'length' : null) };
}

type TakeChunk = (chunk: Buffer) => Cut | null;

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
  return isCodingFault(error) ? 'encoding' : 'disconnect';
}
