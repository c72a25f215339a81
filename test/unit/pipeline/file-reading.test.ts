import { describe, expect, it } from 'vitest';
import { fileSource } from '../../../src/pipeline/file-reading.ts';

const text = (octets: string, contentType: string, charset: string | null): string =>
  fileSource({ url: 'https://a.test/f', contentType, charset, truncated: false, bytes: Buffer.from(octets, 'latin1') })
    .text;
const XML = '<?xml version="1.0" encoding="windows-1251"?><t>\xcc\xe8\xf0</t>';

describe('the text of a file', () => {
  it.each([
    ['is UTF-8 by its mark, whatever the server says', '\xef\xbb\xbf\xc3\xbc', ['text/plain', 'iso-8859-1'], 'ü'],
    ['is UTF-16 by its mark', '\xff\xfe\xfc\x00', ['text/plain', 'utf-8'], 'ü'],
    ['is what the server says', '\xcc\xe8\xf0', ['text/plain', 'windows-1251'], 'Мир'],
    ['is what the server says, before its declaration', XML, ['text/xml', 'iso-8859-1'], XML],
    ['is what its declaration says where the server says nothing known', XML, ['text/xml', 'none'], /Мир/],
    ['is what its declaration says', XML, ['text/xml', null], /Мир/],
    ['is UTF-8', '\xc3\xbc', ['text/plain', null], 'ü'],
    ['is UTF-8 though it holds the sign of an unknown one', '\xef\xbf\xbd\xc3\xbc', ['text/plain', null], '\ufffdü'],
    ['is UTF-8 though it is cut within a sign', '\xc3\xbc\xc3', ['text/plain', null], 'ü\ufffd'],
    ['is read as browsers read it where it is not UTF-8', 'Gr\xfc\xdfe \x96', ['text/csv', null], 'Grüße –'],
    ['is UTF-8 where it is for programs', 'Gr\xfc', ['application/json', null], 'Gr\ufffd'],
  ] as const)('%s', (_how, octets, [type, charset], expected) => {
    if (typeof expected === 'string') expect(text(octets, type, charset)).toBe(expected);
    else expect(text(octets, type, charset)).toMatch(expected);
  });
});
