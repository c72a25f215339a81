/** Bodies that break off: what came is decoded, however slow the decoders are beside the source. */
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeInto, decodersFor, isCodingFault } from '../../../src/base/content-coding.ts';

/** Letters that do not repeat, so that a half of the packed text is about a half of the text. */
const text = Buffer.from(Array.from({ length: 3000 }, (_, at) => ((at * 7919) % 9973).toString(36)).join(' '));
const longRest = Buffer.alloc(100_000);

/** What is decoded, and the error. */
async function decoded(source: Readable, encoding: string): Promise<{ text: string; error: unknown }> {
  const pieces: Buffer[] = [];
  const take = (piece: Buffer): null => {
    pieces.push(piece);
    return null;
  };
  const error: unknown = await decodeInto(source, decodersFor(encoding) ?? [], take).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { text: Buffer.concat(pieces).toString(), error };
}

/** A body that is sent whole, and whose connection fails at the same time. */
function brokenSource(...pieces: readonly Buffer[]): Readable {
  const waiting = [...pieces];
  const source = new Readable({
    read: () => {
      const piece = waiting.shift();
      if (piece === undefined) source.destroy(new Error('reset'));
      else source.push(piece);
    },
  });
  return source;
}

const packings = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
  ['br, gzip', (bytes: Buffer) => gzipSync(brotliCompressSync(bytes))],
] as const;

describe.each(packings)('a body in %s', (encoding, pack) => {
  const body = pack(text);

  it('that breaks off is decoded up to there', async () => {
    const answer = await decoded(Readable.from([body.subarray(0, body.length / 2)]), encoding);
    expect(text.toString().startsWith(answer.text)).toBe(true);
    expect(answer.text.length).toBeGreaterThan(text.length / 4);
    expect(isCodingFault(answer.error)).toBe(true);
  });

  it('whose connection fails is decoded up to there', async () => {
    const answer = await decoded(brokenSource(body.subarray(0, body.length / 2)), encoding);
    expect(text.toString().startsWith(answer.text)).toBe(true);
    expect(answer.text.length).toBeGreaterThan(text.length / 4);
    expect(answer.error).toMatchObject({ message: 'reset' });
  });

  it('whose connection fails after the text is whole', async () => {
    const answer = await decoded(brokenSource(body, Buffer.from('\n')), encoding);
    expect(answer.text).toBe(text.toString());
    expect(answer.error).toBeNull();
  });

  it('is decoded without a part of a longer rest', async () => {
    let read = 0;
    const rest = function* (): Generator<Buffer> {
      yield body;
      for (read = 1; read < 1000; read++) yield longRest;
    };
    const answer = await decoded(Readable.from(rest()), encoding);
    expect(answer).toEqual({ text: text.toString(), error: null });
    expect(read).toBeLessThan(100);
  });
});

describe('a bomb between two codings', () => {
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  it.each([
    ['gzip, br', (bytes: Buffer) => brotliCompressSync(bytes, quick)],
    ['gzip, gzip', gzipSync],
  ])('is ended in %s', async (encoding, pack) => {
    const bomb = pack(gzipSync(Buffer.alloc(50_000_000), { level: 0 }));
    const decoders = decodersFor(encoding) ?? [];
    let made = 0;
    for (const decoder of decoders.slice(0, -1)) decoder.on('data', (piece: Buffer) => (made += piece.length));
    const error: unknown = await decodeInto(Readable.from([bomb]), decoders, () => null).catch(
      (reason: unknown) => reason,
    );
    expect(isCodingFault(error)).toBe(true);
    expect(made).toBeLessThan(10_000_000);
  });
});

describe('a limit of the reader', () => {
  it('ends the body within its piece, and closes the source', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const source = Readable.from([bomb]);
    let size = 0;
    const limit = new RangeError('enough');
    const take = (piece: Buffer): Error | null => ((size += piece.length) > 100_000 ? limit : null);
    await expect(decodeInto(source, decodersFor('gzip') ?? [], take)).rejects.toBe(limit);
    expect(size).toBeLessThan(200_000);
    expect(source.destroyed).toBe(true);
  });
});
