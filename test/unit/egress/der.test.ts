import { describe, expect, test } from 'vitest';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  tagged,
  time,
} from '../../../src/egress/tls/der.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

describe('the distinguished encoding', () => {
  test.each<[string, Uint8Array, string]>([
    ['a sequence of nothing', sequence(), '3000'],
    ['a sequence of sequences', sequence(sequence(), sequence(boolean(true))), '3007300030030101ff'],
    ['no', boolean(false), '010100'],
    ['a small number', integer(bytes('02')), '020102'],
    ['a number whose highest bit would make it negative', integer(bytes('80')), '02020080'],
    ['an object identifier', objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['an object identifier of the second arc', objectIdentifier('2.5.29.17'), '0603551d11'],
    ['bits that do not fill their byte', bitString(bytes('04'), 2), '03020204'],
    ['octets', octetString(bytes('0102')), '04020102'],
    ['a choice', tagged(0x82, bytes('61')), '820161'],
    ['a time of two digits for the year', time(new Date('2049-12-31T23:59:59.999Z')), '170d3439313233313233353935395a'],
    ['a time of four', time(new Date('2050-01-01T00:00:00Z')), '180f32303530303130313030303030305a'],
  ])('of %s', (_title, written, expected) => {
    expect(hex(written)).toBe(expected);
  });

  test.each([
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_536, '0483010000'],
  ])('of %i bytes says how many follow', (length, head) => {
    const written = octetString(new Uint8Array(length));
    expect(hex(written.subarray(0, head.length / 2))).toBe(head);
    expect(written).toHaveLength(head.length / 2 + length);
  });
});
