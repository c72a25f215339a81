import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { storedMember } from '../../../src/warc/stored-member.ts';

describe('a member whose rest is stored', () => {
  it.each([0, 1, 5, 65_534, 65_535, 65_536, 200_000])('is unpacked to what went in, with %i bytes stored', (size) => {
    const [head, body, end] = [
      Buffer.from('WARC/1.1\r\nName: value\r\n\r\n'.repeat(20)),
      randomBytes(size),
      Buffer.from('\r\n\r\n'),
    ];
    const member = storedMember(head, [body, end]);
    expect(gunzipSync(member).equals(Buffer.concat([head, body, end]))).toBe(true);
    expect(member.length).toBeLessThan(size + 150);
  });

  it('may hold nothing', () => {
    expect(gunzipSync(storedMember(Buffer.alloc(0), []))).toHaveLength(0);
    expect(gunzipSync(storedMember(Buffer.from('a'), [])).toString()).toBe('a');
  });
});
