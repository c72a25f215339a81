/** Values out of the dictionaries of a PDF (ISO 32000-1, section 7.3): names, numbers, references, strings. */

/** Text of an object between `obj` and `endobj` or `stream`, a character for each byte. */
export type PdfObject = string;

const STRING_LIMIT = 8192;
/** PDFDocEncoding where it is not Latin-1 (section D.2): from 0x80 on. */
const DOC_ENCODING = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Number of the object that an entry refers to (`/Pages 3 0 R`), or null. */
export function referenceOf(object: PdfObject, key: string): number | null {
  const match = entry(key, '(\\d{1,10})\\s{1,8}\\d{1,5}\\s{1,8}R\\b').exec(object);
  return match === null ? null : Number(match[1]);
}

/** A whole number that is written in the dictionary itself, or null. */
export function integerOf(object: PdfObject, key: string): number | null {
  const match = entry(key, '(\\d{1,10})(?![\\d.])(?!\\s{1,8}\\d{1,5}\\s{1,8}R\\b)').exec(object);
  return match === null ? null : Number(match[1]);
}

/** A name without its slash, or null. */
export function nameOf(object: PdfObject, key: string): string | null {
  return entry(key, '/([^\\s/<>()[\\]{}%]{1,100})').exec(object)?.[1] ?? null;
}

/** A text that is written in the dictionary itself, decoded; null where there is none. */
export function pdfText(object: PdfObject, key: string): string | null {
  const match = entry(key, '(?=[(<])').exec(object);
  return match === null ? null : textAt(object, match.index + match[0].length);
}

function entry(key: string, value: string): RegExp {
  return new RegExp(`/${key}(?![A-Za-z0-9])\\s{0,8}${value}`);
}

/** The text whose string begins there; null where none does. */
export function textAt(object: PdfObject, at: number): string | null {
  const string = octetsAt(object, at);
  return string === null ? null : decoded(string.octets);
}

/** An address, with the place after it. Beyond ASCII its octets are UTF-8, whatever texts are in: so LaTeX writes them, and readers take them. */
export function addressAt(object: PdfObject, at: number): { readonly text: string; readonly end: number } | null {
  const string = octetsAt(object, at);
  if (string === null) return null;
  const { octets, end } = string;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(octets)), end };
  } catch {
    return { text: decoded(octets), end };
  }
}

function octetsAt(object: PdfObject, at: number): Octets | null {
  return object[at] === '(' ? literal(object, at + 1) : hexadecimal(object, at);
}

function bytesOf(octets: string): Uint8Array {
  return Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
}

interface Octets {
  readonly octets: string;
  readonly end: number;
}

/** Brackets within nest; a backslash escapes. */
function literal(object: PdfObject, from: number): Octets | null {
  let octets = '';
  let depth = 1;
  for (let at = from; at < object.length && octets.length < STRING_LIMIT; at++) {
    const sign = object[at] ?? '';
    if (sign === '(') depth += 1;
    if (sign === ')' && --depth === 0) return { octets, end: at + 1 };
    if (sign !== '\\') {
      octets += sign;
      continue;
    }
    const [octal] = /^[0-7]{1,3}/.exec(object.slice(at + 1, at + 4)) ?? [];
    if (octal !== undefined) octets += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const next = object[at + 1] ?? '';
    if (octal === undefined && next !== '\n' && next !== '\r') octets += ESCAPES[next] ?? next;
    at += octal?.length ?? (next === '\r' && object[at + 2] === '\n' ? 2 : 1);
  }
  return null;
}

function hexadecimal(object: PdfObject, at: number): Octets | null {
  const [whole = '', digits] = /^<([\da-fA-F\s]*)>/.exec(object.slice(at, at + 2 * STRING_LIMIT)) ?? [];
  if (digits === undefined) return null;
  const even = digits.replaceAll(/\s+/g, '');
  const octets = (even.length % 2 === 0 ? even : `${even}0`).replaceAll(/../g, (pair) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  );
  return { octets, end: at + whole.length };
}

/** Text strings come in three encodings, distinguished by their first bytes (section 7.9.2.2). */
function decoded(octets: string): string {
  if (octets.startsWith('\xfe\xff')) {
    const pairs = octets.slice(2).match(/[^][^]/g) ?? [];
    return pairs
      .map((pair) => String.fromCharCode(pair.charCodeAt(0) * 256 + pair.charCodeAt(1)))
      .join('')
      .split('\u001b') // two of them enclose a mark of language
      .filter((_part, index) => index % 2 === 0)
      .join('');
  }
  if (octets.startsWith('\xef\xbb\xbf')) {
    return new TextDecoder().decode(bytesOf(octets));
  }
  return octets.replaceAll(/[\x80-\xa0]/g, (octet) =>
    octet === '\xa0' ? '€' : (DOC_ENCODING[octet.charCodeAt(0) - 0x80] ?? octet),
  );
}
