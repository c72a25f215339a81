/**
 * Decodes a document (HTML Standard, section 13.2.3.2): by byte order mark, else by the server's header, else by its own declaration. One
 * that is sent as XML is declared by its XML declaration alone, and without one it is in UTF-8.
 */
import { decodedText } from '../../base/decode-text.ts';

/** Bytes of a document that are searched for its own declaration. */
const PRESCAN = 1024;
/** Where these have none, browsers take that of a later element of the head, and read the document anew; a longer head is not searched. */
const HEAD = 65_536;
/** Signs of Big5 that the platform's decoder lacks, as those of Hong Kong are. */
const LACKING = /[\ue000-\uf8ff\ufffd]/;
/** The encoding of a document that declares none, in the locales of the west. */
const FALLBACK = 'windows-1252';

interface DecodedText {
  readonly text: string;
  /** Name in the encoding standard, lower case: `utf-8`, `windows-1251`. */
  readonly encoding: string;
  /** Is it the text that a browser reads? If the encoding is not declared, browsers may guess it, unless all is ASCII; in Big5 they know more signs. */
  readonly certain: boolean;
}

/** @param contentType the whole header, with its parameters */
export function decodeDocument(body: Uint8Array, contentType: string): DecodedText {
  const own = (): string | null =>
    isXhtml(contentType)
      ? (xmlWord(body) ?? 'utf-8')
      : (ownWord(body, PRESCAN) ?? xmlWord(body) ?? ownWord(body, HEAD));
  const said = markOf(body) ?? labelled(charsetOf(contentType)) ?? own();
  const encoding = said ?? FALLBACK;
  const text = decodedText(body, encoding);
  const isKnown = said !== null && !(said === 'big5' && LACKING.test(text));
  return { text, encoding, certain: isKnown || !/[\u0080-\uffff]/.test(text) };
}

/** Is a document of this type read as XML? @param contentType a media type, perhaps with parameters */
export function isXhtml(contentType: string): boolean {
  return /^\s*application\/xhtml\+xml(?![\w.+-])/i.test(contentType);
}

/** The encoding that a byte order mark says; null where there is none. */
export function markOf(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null;
}

function charsetOf(contentType: string): string {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? '';
}

/** The encoding that a label stands for; null where the label is unknown. */
export function labelled(label: string): string | null {
  const name = label.trim();
  if (name === '') return null;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

/**
 * The declaration in the meta elements at the beginning. A document that can be read so is not in UTF-16, whatever it declares.
 * @param length bytes that are searched; behind the first ones only the head counts
 */
function ownWord(body: Uint8Array, length: number): string | null {
  const read = new TextDecoder('latin1').decode(body.subarray(0, length)).replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const [head = ''] = length > PRESCAN ? read.split(/<\/head[\s>]|<body[\s>]/i, 1) : [read];
  // The end is not part of the match that must succeed: beginnings without an end would be searched for it again and again.
  for (const [tag, end] of head.matchAll(/<meta[\s/][^>]*(>?)/gi)) {
    if (end === '') break;
    const own = valueOf(tag, 'charset');
    const equivalent = valueOf(tag, 'http-equiv');
    const content = equivalent?.toLowerCase() === 'content-type' ? (valueOf(tag, 'content') ?? '') : '';
    const label = own ?? /charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1] ?? '';
    const encoding = labelled(label);
    if (encoding !== null) return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
    if (label.trim().toLowerCase() === 'x-user-defined') return FALLBACK;
  }
  return null;
}

/** The encoding of an XML declaration, which counts in HTML, too, where no meta element says another. */
function xmlWord(body: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(body.subarray(0, PRESCAN));
  const match = /^<\?xml\b[^>]*?\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(head);
  const encoding = labelled(match?.[1] ?? match?.[2] ?? '');
  return encoding?.startsWith('utf-16') === true ? 'utf-8' : encoding;
}

function valueOf(tag: string, name: string): string | null {
  const pattern = new RegExp(`[\\s/"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  const match = pattern.exec(tag);
  return match === null ? null : (match[1] ?? match[2] ?? match[3] ?? null);
}
