/**
 * The tags of a text as an HTML tokenizer reads them (HTML Standard, section 13.2.5), without a tree: also those that a parser has
 * no place for. In one pass.
 */

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  /** Names in lower case, values without their entities; all of several with one name. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** Most attributes of one tag, and characters of a name and of a value; longer ones are cut. */
const ATTRIBUTES = 200;
const NAME_LENGTH = 100;
const VALUE_LENGTH = 8192;
/** The bit that makes a small letter's code of a capital's. */
const CASE = 0x20;
/** Elements whose content is text, whatever it looks like. */
const RAW: ReadonlySet<string> = new Set('script style textarea title xmp iframe noembed noframes'.split(' '));

/** Decodes the character references of a value. */
type Decode = (written: string) => string;

/**
 * @param text markup, or what looks like it
 * @param wanted names of elements whose attributes are read; left out: of all of them
 * @param decode of values; left out: the common references alone
 */
export function* readTags(
  text: string,
  wanted: ReadonlySet<string> | null = null,
  decode: Decode = withCommonReferences,
): Generator<Tag> {
  const reader = new TagReader(text, { wanted, passesOthers: false, decode });
  for (let tag = reader.next(); tag !== null; tag = reader.next()) yield tag;
}

/** The tags of these elements alone: hardly more than the end of all others is read. */
export function* readTagsOf(
  text: string,
  wanted: ReadonlySet<string>,
  decode: Decode = withCommonReferences,
): Generator<Tag> {
  const reader = new TagReader(text, { wanted, passesOthers: true, decode });
  for (let tag = reader.next(); tag !== null; tag = reader.next()) yield tag;
}

interface Wanted {
  /** null: all. */
  readonly wanted: ReadonlySet<string> | null;
  readonly passesOthers: boolean;
  readonly decode: Decode;
}

class TagReader {
  readonly #text: string;
  readonly #wanted: ReadonlySet<string> | null;
  /** Initials of the names that are read; null where no tag is passed over. */
  readonly #initials: ReadonlySet<number> | null;
  readonly #decode: Decode;
  #at = 0;
  /** Are the attributes of this tag read? */
  #reads = true;

  constructor(text: string, { wanted, passesOthers, decode }: Wanted) {
    this.#text = text;
    this.#wanted = wanted;
    this.#decode = decode;
    const initials = [...(wanted ?? []), ...RAW].map((name) => name.charCodeAt(0));
    this.#initials = passesOthers ? new Set(initials) : null;
  }

  next(): Tag | null {
    const text = this.#text;
    for (;;) {
      const start = text.indexOf('<', this.#at);
      if (start < 0) return this.#end();
      const code = text.charCodeAt(start + 1);
      const isEnd = code === 47;
      if (code === 33 || code === 63) this.#comment(start);
      else if (isLetter(isEnd ? text.charCodeAt(start + 2) : code)) {
        const tag = this.#tag(start + (isEnd ? 2 : 1), isEnd);
        if (tag !== null) return tag;
      } else this.#at = start + 1;
      if (this.#at >= text.length) return this.#end();
    }
  }

  #end(): null {
    this.#at = this.#text.length;
    return null;
  }

  /** Skips a comment, a declaration, an instruction; an unterminated one takes all the rest. */
  #comment(start: number): void {
    const isComment = this.#text.startsWith('<!--', start);
    // `<!-->` is a comment
    const end = this.#text.indexOf(isComment ? '-->' : '>', start + 2);
    this.#at = end < 0 ? this.#text.length : end + (isComment ? 3 : 1);
  }

  /** null where it is passed over. */
  #tag(start: number, isEnd: boolean): Tag | null {
    const text = this.#text;
    let at = start;
    while (at < text.length && !isTagEnd(text.charCodeAt(at))) at += 1;
    this.#at = at;
    if (this.#initials !== null && !this.#initials.has(text.charCodeAt(start) | CASE)) {
      this.#reads = false;
      this.#attributes();
      return null;
    }
    const name = text.slice(start, Math.min(at, start + NAME_LENGTH)).toLowerCase();
    this.#reads = this.#wanted === null || this.#wanted.has(name);
    const attributes = this.#attributes();
    if (!isEnd && RAW.has(name)) this.#raw(name);
    return this.#reads || this.#initials === null ? { name, isEnd, attributes } : null;
  }

  #attributes(): readonly (readonly [string, string])[] {
    const text = this.#text;
    const found: (readonly [string, string])[] = [];
    for (;;) {
      while (this.#at < text.length && isBetween(text.charCodeAt(this.#at))) this.#at += 1;
      if (this.#at >= text.length) return found;
      if (text.charCodeAt(this.#at) === 62) {
        this.#at += 1;
        return found;
      }
      const start = this.#at;
      this.#at += 1; // a sign of equality may begin a name
      while (this.#at < text.length && !isNameEnd(text.charCodeAt(this.#at))) this.#at += 1;
      const end = Math.min(this.#at, start + NAME_LENGTH);
      const value = this.#value();
      if (this.#reads && found.length < ATTRIBUTES) found.push([text.slice(start, end).toLowerCase(), value]);
    }
  }

  #value(): string {
    const text = this.#text;
    this.#space();
    if (text.charCodeAt(this.#at) !== 61) return '';
    this.#at += 1;
    this.#space();
    const quote = text.charCodeAt(this.#at);
    if (quote === 34 || quote === 39) {
      const start = this.#at + 1;
      const end = text.indexOf(quote === 34 ? '"' : "'", start);
      this.#at = end < 0 ? text.length : end + 1;
      if (!this.#reads) return '';
      // only the first word of an unterminated value can be a value
      const written = text.slice(start, Math.min(end < 0 ? text.length : end, start + VALUE_LENGTH));
      return this.#decode(end < 0 ? (/^[^\s<>"']*/.exec(written)?.[0] ?? '') : written);
    }
    const start = this.#at;
    while (this.#at < text.length && !isValueEnd(text.charCodeAt(this.#at))) this.#at += 1;
    return this.#reads ? this.#decode(text.slice(start, Math.min(this.#at, start + VALUE_LENGTH))) : '';
  }

  #space(): void {
    while (this.#at < this.#text.length && isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** Goes to the end tag of an element whose content is text. */
  #raw(name: string): void {
    const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    end.lastIndex = this.#at;
    this.#at = end.exec(this.#text)?.index ?? this.#text.length;
  }
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13;
}

function isBetween(code: number): boolean {
  return isSpace(code) || code === 47;
}

function isTagEnd(code: number): boolean {
  return isBetween(code) || code === 62;
}

function isNameEnd(code: number): boolean {
  return isTagEnd(code) || code === 61;
}

function isValueEnd(code: number): boolean {
  return isSpace(code) || code === 62;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: '\u00a0' };

/** Decodes the character references that addresses are mostly written with. */
export function withCommonReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|quot|apos|lt|gt|nbsp));/gi,
    (all, decimal, hex, name) => {
      if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? all;
      const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
        ? String.fromCodePoint(point)
        : all;
    },
  );
}
