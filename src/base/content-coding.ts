/**
 * Undoes content codings as browsers do. One decoder reads bodies from the network and from an archive, so that a crawl and what was recorded
 * of it have the same text.
 */
import { on } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import { inflaters } from './inflate.ts';
import { kibibytes, mebibytes } from './units.ts';

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
 * Pours a body through its decoders, of which there is at least one. Where the body breaks off or a coding is damaged, the later decoders
 * still give what they hold, so that as much is decoded from an archive as from the network, whatever the speed of either.
 * @param take gets each decoded piece; an error that it returns ends the decoding
 * @throws that error, one of the source, or one of the coding ({@link isCodingFault}); what was decoded before it has been taken
 */
export async function decodeInto(
  source: Readable,
  decoders: readonly Decoder[],
  take: (piece: Buffer) => Error | null,
  signal?: AbortSignal,
): Promise<void> {
  const chain = new DecoderChain(decoders, take);
  let isEmpty = true;
  let rest = 0;
  try {
    for await (const piece of arrivals(source, signal)) {
      isEmpty = false;
      await chain.put(piece);
      if (chain.isOver) rest += piece.length;
      if (chain.fault !== null || rest > REST_LIMIT) break;
    }
  } catch (error) {
    chain.fail(error instanceof Error ? error : new Error('the body cannot be read', { cause: error }));
  }
  source.destroy();
  await chain.end();
  // the packed text has ended: bytes after it, however many or late, are not of the body; nor is nothing a fault
  const isWhole = chain.isWhole || (isEmpty && isCodingFault(chain.fault));
  if (chain.fault !== null && !isWhole) throw chain.fault;
}

/** Bytes after the text for which a server is still heard out (arbitrary). */
const REST_LIMIT = kibibytes(64);
/** Pieces of a source that wait for a slow decoder; more of them stop the source (arbitrary; a piece has at most 64 KiB). */
const WAITING_PIECES = 32;
/**
 * Most bytes that a decoder makes of one piece for the next decoder (arbitrary). What is packed already packs no further, so that more of
 * them are an attack.
 */
const BETWEEN_LIMIT = mebibytes(4);

/** The pieces of a source. Unlike its own iterator, this one gives all that came before an error. */
async function* arrivals(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
  const stop = (): void => void source.destroy(new Error('the body took too long', { cause: signal?.reason }));
  // a source that is left early may say so as an error
  source.on('error', () => undefined);
  // events that have already happened are not emitted again
  if (source.destroyed) throw source.errored ?? new Error('the body was closed before it was read');
  const pieces = on(source, 'data', { close: ['end', 'close'], highWaterMark: WAITING_PIECES, lowWaterMark: 1 });
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for await (const [piece] of pieces) yield piece;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  if (!source.readableEnded) throw new Error('the body was closed before its end');
}

/** Decoders one behind the other. A piece goes through all of them before the next one, so that no decoder that fails holds a text. */
class DecoderChain {
  readonly #decoders: readonly Decoder[];
  /** What each decoder made and the next one has not got yet. */
  readonly #made: Buffer[][];
  /** The first error, of whichever part. */
  fault: Error | null = null;
  #isCut = false;

  /** @param take gets each piece at once, as a small piece can unpack to a large one */
  constructor(decoders: readonly Decoder[], take: (piece: Buffer) => Error | null) {
    this.#decoders = decoders;
    this.#made = decoders.map(() => []);
    for (const [at, decoder] of decoders.entries()) {
      const isLast = at === decoders.length - 1;
      decoder.on('error', (error) => this.fail(error));
      decoder.on('data', (piece: Buffer) => (isLast ? this.#give(piece, take) : this.#keep(piece, at)));
    }
  }

  /** Has one of the decoders come to the end of its text, while more arrives? */
  get isOver(): boolean {
    return this.#decoders.some((decoder) => decoder.readableEnded);
  }

  /** Has the last decoder come to the end of its text? */
  get isWhole(): boolean {
    return !this.#isCut && this.#decoders.at(-1)?.readableEnded === true;
  }

  /** Remembers an error, unless there was one before. */
  fail(error: Error): void {
    this.fault ??= error;
  }

  /** Gives a piece to a decoder, and what becomes of it to the later ones. */
  async put(piece: Buffer, at = 0): Promise<void> {
    const decoder = this.#decoders[at];
    if (decoder === undefined || this.#isCut) return;
    await settled(decoder, (done) => decoder.write(piece, done));
    await this.#passOn(at);
  }

  /** Ends the decoders in turn. Each gives what it holds, also behind one that failed. */
  async end(): Promise<void> {
    for (const [at, decoder] of this.#decoders.entries()) {
      if (!this.#isCut && !decoder.readableEnded) await settled(decoder, (done) => decoder.once('end', done).end());
      await this.#passOn(at);
      decoder.destroy();
    }
  }

  async #passOn(at: number): Promise<void> {
    const made = this.#made[at]?.splice(0) ?? [];
    for (const piece of made) await this.put(piece, at + 1);
  }

  #keep(piece: Buffer, at: number): void {
    const made = this.#made[at] ?? [];
    made.push(piece);
    const size = made.reduce((sum, { length }) => sum + length, 0);
    if (size > BETWEEN_LIMIT) this.#decoders[at]?.destroy(new PackedBomb('one coding hides a bomb in another'));
  }

  #give(piece: Buffer, take: (piece: Buffer) => Error | null): void {
    const cut = this.#isCut ? null : take(piece);
    if (cut === null) return;
    this.#isCut = true;
    // the user's own limit comes before whatever the coding says of the same piece
    this.fault = cut;
    for (const decoder of this.#decoders) decoder.destroy();
  }
}

class PackedBomb extends Error {
  /** As zlib names it. */
  readonly code = 'Z_DATA_ERROR';
}

/** Takes a step with a decoder, and waits until it is done or the decoder has closed. */
function settled(decoder: Decoder, step: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (decoder.destroyed) return resolve();
    const done = (): void => {
      decoder.off('close', done);
      resolve();
    };
    decoder.once('close', done);
    step(done);
  });
}

/** Does the error say that bytes do not fit their coding, or end within it? */
export function isCodingFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // zlib's codes have these prefixes; those of brotli are named after its constants
  return /^(?:Z_|ERR__?(?:ERROR|BROTLI|DECODER)|ERR_TRAILING_JUNK)/.test(code);
}
