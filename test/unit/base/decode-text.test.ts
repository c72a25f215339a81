import { describe, expect, test } from 'vitest';
import { decodedText } from '../../../src/base/decode-text.ts';

describe('EUC-KR', () => {
  test.each([
    ['the first of the further syllables', [0x81, 0x41], '갂'],
    ['the last one', [0xc6, 0x52], '힣'],
    ['one between those', [0x8c, 0x63], '똠'],
    ['a syllable of the standard', [0xb0, 0xa1], '가'],
    ['the euro', [0xa2, 0xe6], '€'],
    ['no private sign', [0xc9, 0xa1], '\ufffd'],
    ['a Chinese character', [0xf9, 0xd6], '罕'],
    ['a pair without a sign, whose second byte is a quote', [0x93, 0x22], '\ufffd"'],
    ['a pair without a sign', [0xc6, 0x53], '\ufffdS'],
    ['a pair of two other bytes', [0xc9, 0xff, 0x61], '\ufffda'],
    ['a byte that begins none', [0x80, 0xff, 0x61], '\ufffd\ufffda'],
    ['a text that ends within a pair', [0x61, 0xb0], 'a\ufffd'],
    ['ASCII', [0x3c, 0x61, 0x3e], '<a>'],
  ])('has %s', (_what, octets, text) => {
    expect(decodedText(Uint8Array.from(octets), 'ks_c_5601-1987')).toBe(text);
  });
});

test.each([
  [[0x80], '€'],
  [[0xa2, 0xe3], '€'],
  [[0xa6, 0xd9], '︐'],
  [[0xd6, 0xd0], '中'],
])('GBK has no private signs: %j', (octets, text) => {
  expect(decodedText(Uint8Array.from(octets), 'gb2312')).toBe(text);
});
