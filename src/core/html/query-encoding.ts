/**
 * Writes a query in the encoding of its document (URL Standard, "percent-encode after encoding"): where a page in windows-1251 names `?q=й`,
 * browsers ask for `?q=%E9`. The tables are the inverse of those by which the platform decodes; encodings with states are left
 * out, and so are the signs of four bytes in gb18030.
 */
import { decodedText } from '../../base/decode-text.ts';

/**
 * Encodings of two bytes: ranges of the first bytes of the pairs that their encoders know. Those of Big5 below 0xA1 are extensions, which are
 * only read; the signs of Shift_JIS from 0xED to 0xEF have another place, too.
 */
const LEADS: ReadonlyMap<string, readonly (readonly [from: number, to: number])[]> = new Map(
  Object.entries({
    big5: [[0xa1, 0xfe]],
    'euc-jp': [
      [0x8e, 0x8e],
      [0xa1, 0xfe],
    ],
    'euc-kr': [[0x81, 0xfe]],
    gb18030: [[0x81, 0xfe]],
    gbk: [[0x81, 0xfe]],
    shift_jis: [
      [0x81, 0x9f],
      [0xe0, 0xec],
      [0xfa, 0xfc],
    ],
  } as const),
);
/** Left out: see above; the Unicode encodings have their queries in UTF-8. */
const NOT_WRITTEN = /^(?:utf-|iso-2022-jp$|x-user-defined$|replacement$)/;
/** Of two places of these signs in Big5 the later one counts. */
const LATER_IN_BIG5 = /^[\u2550\u255e\u2561\u256a\u5341\u5345]$/;
/** Signs with a place that their decoders give to another one. */
const JAPANESE: readonly (readonly [point: number, octets: string])[] = [
  [0xa5, '%5C'],
  [0x203e, '~'],
];
const PRIVATE = /^[\ue000-\uf8ff]$/;

/** The octets of each sign, by its code point. */
type Table = ReadonlyMap<number, string>;

const tables = new Map<string, Table>();
/** Character references of signs of the basic plane: to write one anew for each sign of a long query is most of the work. */
const references = new Map<number, string>();

/**
 * @param encoding of the document, as TextDecoder names it
 * @returns a function that escapes the signs beyond ASCII in the query of a reference; null where that is done in UTF-8
 */
export function queryEncoder(encoding: string): ((reference: string) => string) | null {
  if (NOT_WRITTEN.test(encoding)) return null;
  return (reference) => {
    const [place = ''] = reference.split('#', 1);
    const question = place.indexOf('?');
    const query = question === -1 ? '' : place.slice(question);
    if (!/[^\0-\x7f]/.test(query)) return reference;
    const table = tableOf(encoding);
    // by runs: a call for each sign of a long query costs more than the signs
    const written = query.replaceAll(/[^\0-\x7f]+/g, (signs) => writtenSigns(signs, table, encoding));
    return place.slice(0, question) + written + reference.slice(place.length);
  };
}

function writtenSigns(signs: string, table: Table, encoding: string): string {
  let written = '';
  for (let at = 0; at < signs.length;) {
    const point = signs.codePointAt(at) ?? 0;
    written += table.get(point) ?? lacking(point, encoding);
    at += point > 0xffff ? 2 : 1;
  }
  return written;
}

/** A sign that the encoding lacks is sent as a character reference; gb18030 lacks none. */
function lacking(point: number, encoding: string): string {
  if (encoding === 'gb18030') return String.fromCodePoint(point);
  const known = references.get(point);
  if (known !== undefined) return known;
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  const reference = `%26%23${isHalf ? 0xfffd : point}%3B`;
  if (point <= 0xffff) references.set(point, reference);
  return reference;
}

function tableOf(encoding: string): Table {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<number, string>();
  // in gb18030 the one sign of one byte, the euro of GBK, is only read
  const last = encoding === 'gb18030' ? 0x7f : 0xff;
  for (let octet = 0x80; octet <= last; octet += 1) {
    const sign = decodedText(Uint8Array.of(octet), encoding);
    const point = sign.codePointAt(0) ?? 0;
    if (isSign(sign) && !table.has(point)) table.set(point, escaped(octet));
  }
  for (const [from, to] of LEADS.get(encoding) ?? [])
    for (let lead = from; lead <= to; lead += 1) addPairs(table, encoding, lead);
  if (encoding === 'euc-jp' || encoding === 'shift_jis') {
    for (const [point, octets] of JAPANESE) table.set(point, octets);
    const minus = table.get(0xff0d);
    if (minus !== undefined) table.set(0x2212, minus);
  }
  tables.set(encoding, table);
  return table;
}

/** Adds all pairs with a first byte, decoded at once: a line feed is part of no pair. */
function addPairs(table: Map<number, string>, encoding: string, lead: number): void {
  const octets: number[] = [];
  for (let trail = 0x40; trail <= 0xfe; trail += 1) octets.push(lead, trail, 0x0a);
  for (const [index, sign] of decodedText(Uint8Array.from(octets), encoding).split('\n').entries()) {
    if (!isSign(sign) || (PRIVATE.test(sign) && !encoding.startsWith('gb'))) continue;
    const isLater = encoding === 'big5' && LATER_IN_BIG5.test(sign);
    const point = sign.codePointAt(0) ?? 0;
    if (isLater || !table.has(point)) table.set(point, escaped(lead) + escaped(0x40 + index));
  }
}

/** Is it one sign beyond ASCII? */
function isSign(text: string): boolean {
  return text !== '\ufffd' && /^[^\0-\x7f]$/u.test(text);
}

/** The second byte of a pair may be an ASCII character, which needs no escape in a query. */
function escaped(octet: number): string {
  return octet < 0x7f ? String.fromCharCode(octet) : `%${octet.toString(16).toUpperCase()}`;
}
