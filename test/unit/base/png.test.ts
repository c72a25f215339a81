import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../../src/base/decode-png.ts';
import { encodePng } from '../../../src/base/encode-png.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { drawn } from '../../support/drawn-pixels.ts';

const LIMIT = 1_000_000;
const random = seededRandom(7);
const noise = { width: 37, height: 23, data: Uint8Array.from({ length: 37 * 23 * 4 }, () => random() * 256) };

/** Written by another program, which chooses its filters itself or uses one for all rows. */
function writtenElsewhere(filterType: -1 | 0 | 1 | 2 | 3 | 4, colorType: 2 | 6): Uint8Array {
  const png = new PNG({ width: noise.width, height: noise.height });
  png.data.set(noise.data);
  return PNG.sync.write(png, { filterType, colorType, inputColorType: 6 });
}

describe('a PNG', () => {
  it.each([0, 1, 2, 3, 4, -1] as const)(
    'is read as it was written with filter %d, with and without opacity',
    (filter) => {
      const opaque = noise.data.map((value, at) => (at % 4 === 3 ? 255 : value));
      expect(decodePng(writtenElsewhere(filter, 6), LIMIT)).toEqual({ kind: 'pixels', pixels: noise });
      const without = decodePng(writtenElsewhere(filter, 2), LIMIT);
      expect(without.kind === 'pixels' && without.pixels.data.length).toBe(opaque.length);
      expect(without.kind === 'pixels' && PNG.sync.read(Buffer.from(writtenElsewhere(filter, 2))).data).toEqual(
        without.kind === 'pixels' && Buffer.from(without.pixels.data),
      );
    },
  );

  it('that we write is read by us and by others', () => {
    const written = encodePng(noise);
    expect(decodePng(written, LIMIT)).toEqual({ kind: 'pixels', pixels: noise });
    expect(new Uint8Array(PNG.sync.read(Buffer.from(written)).data)).toEqual(noise.data);
  });

  it('is refused by the size that it names, before it is unpacked', () => {
    const giant = Buffer.from(encodePng(drawn({ width: 4, height: 4 })));
    giant.writeUInt32BE(60_000, 16);
    giant.writeUInt32BE(60_000, 20);
    expect(decodePng(giant, LIMIT)).toEqual({ kind: 'refused', why: 'too-large' });
  });

  it('is refused where it holds more or less than its size says', () => {
    const bomb = Buffer.from(encodePng(drawn({ width: 900, height: 900 })));
    bomb.writeUInt32BE(10, 20);
    expect(decodePng(bomb, LIMIT)).toEqual({ kind: 'refused', why: 'broken' });
    const short = Buffer.from(encodePng(drawn({ width: 9, height: 9 })));
    short.writeUInt32BE(90, 20);
    expect(decodePng(short, LIMIT)).toEqual({ kind: 'refused', why: 'broken' });
  });

  it.each([
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'not-png'],
    ['nothing', Buffer.of(), 'not-png'],
    ['a signature alone', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'broken'],
    ['16 bits a channel', withHeader({ depth: 16, colour: 2 }), 'unsupported'],
    ['a palette', withHeader({ depth: 8, colour: 3 }), 'unsupported'],
    ['an unknown filter', withRows(Buffer.of(9, 0, 0, 0, 0)), 'broken'],
  ])('%s is refused', (_name, bytes, why) => {
    expect(decodePng(bytes, LIMIT)).toEqual({ kind: 'refused', why });
  });
});

function withHeader({ depth, colour }: { readonly depth: number; readonly colour: number }): Uint8Array {
  const bytes = Buffer.from(encodePng(drawn({ width: 2, height: 2 })));
  bytes.set([depth, colour], 24);
  return bytes;
}

/** A picture of one pixel, with these rows. */
function withRows(rows: Uint8Array): Uint8Array {
  const head = Buffer.from(encodePng(drawn({ width: 1, height: 1 }))).subarray(0, 33);
  const packed = deflateSync(rows);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(packed.length);
  return Buffer.concat([head, length, Buffer.from('IDAT'), packed, Buffer.alloc(4)]);
}
