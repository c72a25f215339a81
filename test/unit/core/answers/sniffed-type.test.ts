import { expect, test } from 'vitest';
import { sniffedType } from '../../../../src/core/answers/sniffed-type.ts';

test.each([
  ['\n <HTML><title>x</title>', null],
  ['<custom-element>', null],
  ['', null],
  [' <?xml version="1.0"?><rss/>', 'text/xml'],
  ['%PDF-1.7\n\x00', 'application/pdf'],
  ['READ ME\n<b>not a page</b>', 'text/plain'],
  ['Gr\xfc\xdfe', 'text/plain'],
  ['\xff\xfea\x00', 'text/plain'],
  ['\x1f\x8b\x08\x00', 'application/octet-stream'],
  [`${'a'.repeat(1024)}\x00`, 'text/plain'],
])('a body without a type is what browsers take it for: %j', (octets, type) => {
  expect(sniffedType(Buffer.from(octets, 'latin1'))).toBe(type);
});
