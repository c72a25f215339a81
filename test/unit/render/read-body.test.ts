import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { mebibytes } from '../../../src/base/units.ts';
import { unpacked } from '../../../src/render/extract/read-body.ts';

describe('a file packed by gzip', () => {
  const packed = gzipSync('<urlset></urlset>');
  const read = async (bytes: Buffer): Promise<readonly [string, string | null] | null> => {
    const body = await unpacked({ bytes, truncated: null });
    return body === null ? null : [Buffer.from(body.bytes).toString(), body.truncated];
  };

  test('is unpacked, as far as it is there', async () => {
    expect(await read(packed)).toEqual(['<urlset></urlset>', null]);
    expect(await read(packed.subarray(0, -8))).toEqual(['<urlset></urlset>', null]);
    expect(await read(Buffer.concat([packed.subarray(0, 3), Buffer.alloc(20, 0xff)]))).toBeNull();
  });

  test('that is damaged is read up to the fault', async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `<loc>${index}</loc>`).join('');
    const damaged = gzipSync(text);
    damaged.fill(0, damaged.length - 8); // its checksum
    const [start = '', truncated] = (await read(damaged)) ?? [];
    expect(truncated).toBe('encoding');
    expect(text.startsWith(start.slice(0, 100_000))).toBe(true);
    expect(start.length).toBeGreaterThan(100_000);
  });

  test('that is too large is read up to the limit of files that are not packed', async () => {
    const body = await unpacked({ bytes: gzipSync(Buffer.alloc(mebibytes(51), 'a')), truncated: null });
    expect([body?.bytes.length, body?.truncated]).toEqual([mebibytes(50), 'length']);
  });
});
