import { describe, expect, it } from 'vitest';
import { pictureSize } from '../../../../src/core/files/picture-size.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('the size of a picture', () => {
  it.each([
    ['png', '89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 0802000000', [640, 480]],
    ['gif', '474946383961 4001 f000 f70000', [320, 240]],
    // an APP0 segment, a quantisation table, a byte of padding, then a progressive frame
    ['jpeg', 'ffd8 ffe00004 0102 ffdb0003 00 ff ffc2000b 08 0258 0320 03 0111 00', [800, 600]],
    ['webp', '52494646 1a000000 57454250 56503820 0e000000 300100 9d012a 5000 3c00 0100', [80, 60]],
    ['webp', '52494646 1a000000 57454250 5650384c 0d000000 2f 4fc00e00 0000000000000000', [80, 60]],
    ['webp', '52494646 1a000000 57454250 56503858 0a000000 10000000 4f0000 3b0000', [80, 60]],
  ])('is read from the head of a %s', (format, hex, [width, height]) => {
    expect(pictureSize(bytes(hex))).toEqual({ format, width, height });
  });

  it.each([
    ['nothing', ''],
    ['a PNG that is cut', '89504e470d0a1a0a 0000000d 49484452 0000'],
    ['a JPEG whose segments lead nowhere', `ffd8 ${'ffe00002'.repeat(600)} ffc0000b 08 0258 0320 03 0111 00`],
    ['a PNG without extent', '89504e470d0a1a0a 0000000d 49484452 00000000 000001e0 0802000000'],
    ['HTML', Buffer.from('<!doctype html><title>no picture</title>').toString('hex')],
  ])('is not known of %s', (_what, hex) => {
    expect(pictureSize(bytes(hex))).toBeNull();
  });

  it('is read from a view into a larger buffer', () => {
    const whole = bytes(`000000 474946383961 4001 f000 f70000`);
    expect(pictureSize(whole.subarray(3))).toMatchObject({ width: 320 });
  });
});
