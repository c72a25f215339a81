/** The files that a style sheet asks for: pictures, fonts, other sheets. */
import type { FoundLink } from '../../../model/link.ts';
import { fileLink } from '../discoverer.ts';

/** References kept of one sheet. */
const REFERENCE_LIMIT = 1000;
const LENGTH = 4096;
/** The beginning of a comment, a string, an import or a reference; each has a sign of its own, so that the search is one pass. */
const BEGINNING = /\/\*|["']|@import(?=[\s"']|\/\*)|\b(?:url|src)\(/gi;
const REFERENCE = /(?:url|src)\(/iy;
const HEXADECIMAL = /[\da-f]{1,6}\s?/iy;
const SPACE = /\s*/y;

/** url() and `@import` of a sheet. @param base of the sheet: what its references are relative to */
export function cssReferences(text: string, base: string): readonly FoundLink[] {
  const found = new Map<string, FoundLink>();
  for (const { written, context } of referencesOf(text)) {
    const href = unescaped(written).trim();
    if (href === '' || href.startsWith('#') || href.length > LENGTH || /^(?:data|about|blob|javascript):/i.test(href))
      continue;
    const key = `${context} ${href}`;
    if (!found.has(key)) found.set(key, fileLink(href, base, { kind: 'css', context }));
    if (found.size >= REFERENCE_LIMIT) break;
  }
  return [...found.values()];
}

interface Written {
  /** With its escapes. */
  readonly written: string;
  readonly context: '@import' | 'url()';
}

/** Skips strings and comments. One pass: an unterminated part is not read again, but for what may begin within it. */
function* referencesOf(text: string): Generator<Written> {
  const beginning = new RegExp(BEGINNING);
  const strings = new Strings(text);
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const [sign] = match;
    let end: number | null = beginning.lastIndex;
    if (sign === '/*') end = afterComment(text, end);
    else if (sign === '"' || sign === "'") end = strings.end(match.index) ?? end;
    else {
      const importing = sign.startsWith('@');
      const at = importing ? afterComments(text, end) : match.index;
      const quoted = importing ? strings.end(at) : null;
      const reference =
        quoted === null ? referenceAt(text, at, strings) : { from: at + 1, to: quoted - 1, end: quoted };
      if (reference !== null) {
        const context = importing ? '@import' : 'url()';
        yield { written: text.slice(reference.from, reference.to), context };
        end = reference.end;
      }
    }
    if (end === null) return;
    beginning.lastIndex = end;
  }
}

/** The place after white space and comments; a comment that does not end is left. */
function afterComments(text: string, from: number): number {
  let at = afterSpace(text, from);
  while (text.startsWith('/*', at)) {
    const end = afterComment(text, at + 2);
    if (end === null) return at;
    at = afterSpace(text, end);
  }
  return at;
}

function afterComment(text: string, from: number): number | null {
  const end = text.indexOf('*/', from);
  return end === -1 ? null : end + 2;
}

interface Reference {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** `url(…)`, its address in quotes or without. */
function referenceAt(text: string, at: number, strings: Strings): Reference | null {
  REFERENCE.lastIndex = at;
  if (!REFERENCE.test(text)) return null;
  const from = afterSpace(text, REFERENCE.lastIndex);
  const quoted = strings.end(from);
  const to = quoted ?? afterWord(text, from);
  const end = afterSpace(text, to);
  if (text[end] !== ')') return null;
  return { ...(quoted === null ? { from, to } : { from: from + 1, to: to - 1 }), end: end + 1 };
}

/** The end of an address without quotes: a space, a quote or a bracket that is not escaped. */
function afterWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      if (at + 1 >= text.length) break;
      HEXADECIMAL.lastIndex = at + 1;
      at = HEXADECIMAL.test(text) ? HEXADECIMAL.lastIndex : at + 2;
    } else if (/[\s"'()]/.test(sign)) break;
    else at += 1;
  }
  return at;
}

function afterSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** The strings of a sheet: a line feed that is not escaped makes one invalid. */
class Strings {
  readonly #text: string;
  /** No string with this quote ends before here: all quotes on the way are escaped, so a search from one of them ends alike. */
  readonly #open = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The place after a string; null where none begins there, or it does not end. */
  end(start: number): number | null {
    const text = this.#text;
    const quote = text[start];
    if ((quote !== '"' && quote !== "'") || start < (this.#open.get(quote) ?? 0)) return null;
    let at = start + 1;
    for (; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === '\\') at += 1;
      else if (sign === quote) return at + 1;
      else if (sign === '\n') break;
    }
    this.#open.set(quote, at);
    return null;
  }
}

/** CSS Syntax 3, section 4.3.7. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\r?\n|([\s\S]))/gi, (_all, point?: string, other?: string) => {
    if (point === undefined) return other ?? '';
    const value = Number.parseInt(point, 16);
    return value > 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff)
      ? String.fromCodePoint(value)
      : '\uFFFD';
  });
}
