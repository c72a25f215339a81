import { encode } from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { decodeJpeg } from '../../../src/base/decode-jpeg.ts';
import { drawn } from '../../support/drawn-pixels.ts';

const SIZE = { width: 40, height: 24 };
const { data } = drawn(SIZE, [{ x: 9, y: 7, width: 17, height: 9, colour: [200, 0, 0] }]);
const FILE: Buffer = encode({ ...SIZE, data: Buffer.from(data) }, 90).data;
const FRAME = FILE.indexOf(Buffer.of(0xff, 0xc0));
const SCAN = FILE.indexOf(Buffer.of(0xff, 0xda));

function changed(at: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(FILE);
  copy.set(bytes, at);
  return copy;
}

describe('a JPEG', () => {
  it('becomes pixels of about the colours that it had', () => {
    const read = decodeJpeg(FILE, 1000);
    if (read.kind !== 'pixels') throw new Error(read.why);
    expect([read.pixels.width, read.pixels.height]).toEqual([40, 24]);
    const most = Math.max(...[...read.pixels.data].map((value, at) => Math.abs(value - (data[at] ?? 0))));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(40);
  });

  it.each([
    ['of another format', Buffer.from('GIF89a'), 'not-jpeg'],
    ['that is empty', Buffer.alloc(0), 'not-jpeg'],
    ['that ends before its scan', FILE.subarray(0, SCAN), 'broken'],
    ['that ends within its scan', FILE.subarray(0, SCAN + 20), 'broken'],
    ['of more pixels than the limit', changed(FRAME + 5, 0xff, 0xff, 0xff, 0xff), 'too-large'],
    ['of no pixels', changed(FRAME + 5, 0, 0), 'unsupported'],
    ['that comes in passes', changed(FRAME + 1, 0xc2), 'unsupported'],
    ['of 12 bits', changed(FRAME + 4, 12), 'unsupported'],
    ['with a component of no resolution', changed(FRAME + 11, 0), 'unsupported'],
    ['with two frames', Buffer.concat([FILE.subarray(0, SCAN), FILE.subarray(FRAME)]), 'unsupported'],
    ['with a second scan', Buffer.concat([FILE.subarray(0, -2), FILE.subarray(SCAN)]), 'unsupported'],
    ['with a segment without length', changed(2 + 2, 0, 0), 'broken'],
  ])('%s is refused', (_, file, why) => {
    expect(decodeJpeg(file, 1000)).toEqual({ kind: 'refused', why });
  });
});
