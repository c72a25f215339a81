import { expect, test } from 'vitest';
import { undecodedText } from '../../../src/render/extract/undecoded-text.ts';

const KOREAN = Buffer.from([0xc7, 0xd1, 0xff]);
const META = Buffer.from('<meta charset="euc-kr">');

test.each<[string, Buffer, boolean, string | null]>([
  ['UTF-8', Buffer.from('é'), true, 'é'],
  ['a document by its own declaration', Buffer.concat([META, KOREAN]), true, '<meta charset="euc-kr">한\ufffd'],
  ['a document that does not say its encoding', KOREAN, true, null],
  ['a script with a fault', Buffer.from([0x61, 0xff]), false, 'a\ufffd'],
])('octets that the browser could not decode are read as %s', (_what, octets, isDocument, text) => {
  expect(undecodedText(octets, isDocument)).toBe(text);
});
