/** The media type of a body that came without one, as browsers guess it (MIME Sniffing Standard, section 7.1). Pure. */

/** Bytes that Chromium looks at. */
const LOOKED_AT = 1024;
/** No text has these: control characters but tabs, line ends, form feeds and escapes. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const BYTE_ORDER_MARK = /^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/;

/** @returns null where the body may be a page, or is empty: what begins with a tag is left to the browser's own table */
export function sniffedType(body: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(body.subarray(0, LOOKED_AT));
  if (start === '') return null;
  if (/^[\t\n\f\r ]*<\?xml/i.test(start)) return 'text/xml';
  if (/^[\t\n\f\r ]*</.test(start)) return null;
  if (start.startsWith('%PDF-')) return 'application/pdf';
  return BINARY.test(start) && !BYTE_ORDER_MARK.test(start) ? 'application/octet-stream' : 'text/plain';
}
