/**
 * The string literals of a JavaScript source, by a scanner that knows comments, templates and regular expressions: enough
 * not to take code for text, without parsing it. Whatever it is given, it ends, and in one pass.
 */

export interface ScriptString {
  /** What the string says, its escapes undone. */
  readonly value: string;
  /** The word or the sign before it: `(`, `=`, `from`, `+`. */
  readonly before: string;
  /** The word before `before`, where that is a sign: of `fetch("/a")` it is `fetch`. */
  readonly word: string;
  /** The source that follows, spaces left out: some characters. */
  readonly after: string;
}

/** Longer strings are data. */
const LENGTH = 2048;
/** Characters that are looked at in vain for the end of a regular expression, for each of the source; and whatever its length. */
const PATIENCE = 8;
const LEAST_PATIENCE = 4096;
const MOST_PATIENCE = 4_000_000;
/** Words after which a slash begins a regular expression. */
const OPERATORS: ReadonlySet<string> = new Set(
  'return typeof case in of delete void throw new else do instanceof yield await'.split(' '),
);

/** @param source of a script; not needed to be valid */
export function* scriptStrings(source: string): Generator<ScriptString> {
  const scanner = new Scanner(source);
  for (let found = scanner.next(); found !== null; found = scanner.next()) yield found;
}

class Scanner {
  readonly #source: string;
  #at = 0;
  /** The last sign or word, and the word before it. */
  #before = '';
  #word = '';
  /** Characters that may yet be looked at in vain for the end of a regular expression. */
  #patience: number;
  #parentheses = 0;
  /** How deep the call of `concat` is that we are in; null outside of one. */
  #concat: number | null = null;
  /** Braces open in each template that is being left for an expression. */
  readonly #templates: number[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#patience = Math.min(MOST_PATIENCE, LEAST_PATIENCE + source.length * PATIENCE);
  }

  next(): ScriptString | null {
    const source = this.#source;
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at);
      if (code <= 32 || code === 0xa0 || code === 0x2028 || code === 0x2029) this.#at += 1;
      else if (isWordCode(code)) this.#readWord();
      else if (code === 34 || code === 39) {
        const found = this.#string(code);
        if (found !== null) return found;
      } else if (code === 96) {
        this.#at += 1;
        const found = this.#template();
        if (found !== null) return found;
      } else if (code === 47) this.#slash();
      else if (code === 125 && this.#templates.at(-1) === 0) {
        this.#templates.pop();
        this.#at += 1;
        this.#template(false);
      } else this.#sign(code);
    }
    return null;
  }

  #readWord(): void {
    const start = this.#at;
    do this.#at += 1;
    while (this.#at < this.#source.length && isWordCode(this.#source.charCodeAt(this.#at)));
    this.#word = this.#source.slice(start, Math.min(this.#at, start + 40));
    this.#before = this.#word;
  }

  #sign(code: number): void {
    const open = this.#templates.length - 1;
    if (open >= 0 && (code === 123 || code === 125))
      this.#templates[open] = (this.#templates[open] ?? 0) + (code === 123 ? 1 : -1);
    if (code === 40) {
      this.#parentheses += 1;
      if (this.#before === 'concat') this.#concat ??= this.#parentheses;
    } else if (code === 41) {
      if (this.#parentheses === this.#concat) this.#concat = null;
      this.#parentheses -= 1;
    }
    if (this.#before !== this.#word) this.#word = ''; // only the sign next to the word belongs to it
    this.#before = this.#source[this.#at] ?? '';
    this.#at += 1;
  }

  #string(quote: number): ScriptString | null {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#source.length; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 92) end += 1;
      else if (code === quote) break;
      else if (code === 10 || code === 13) {
        this.#at = end; // a quote that was none: what follows is read anew
        return null;
      }
    }
    this.#at = end + 1;
    return this.#found(start, end);
  }

  /** From behind the opening quote or a closed expression to the end, or to the next expression. */
  #template(whole = true): ScriptString | null {
    const start = this.#at;
    let end = start;
    for (; end < this.#source.length; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 92) end += 1;
      else if (code === 96) break;
      else if (code === 36 && this.#source.charCodeAt(end + 1) === 123) {
        this.#templates.push(0);
        this.#at = end + 2;
        this.#before = '{';
        return null;
      }
    }
    this.#at = end + 1;
    if (whole) return this.#found(start, end);
    this.#before = '`';
    return null;
  }

  #found(start: number, end: number): ScriptString | null {
    const place = { before: this.#before, word: this.#concat === null ? this.#word : 'concat' };
    this.#before = '"';
    this.#word = '';
    if (end <= start || end - start > LENGTH || end >= this.#source.length) return null;
    const written = this.#source.slice(start, end);
    const value = written.includes('\\') ? unescaped(written) : written;
    return { value, ...place, after: this.#source.slice(this.#at, this.#at + 24).trimStart() };
  }

  #slash(): void {
    const source = this.#source;
    const following = source.charCodeAt(this.#at + 1);
    if (following === 47) {
      const end = source.indexOf('\n', this.#at);
      this.#at = end === -1 ? source.length : end;
    } else if (following === 42) {
      const end = source.indexOf('*/', this.#at + 2);
      this.#at = end === -1 ? source.length : end + 2;
    } else if (!this.#expectsValue() || !this.#regularExpression()) this.#sign(47);
  }

  #expectsValue(): boolean {
    if (this.#before === '') return true;
    return this.#before === this.#word ? OPERATORS.has(this.#word) : !/[)\]"`]/.test(this.#before);
  }

  #regularExpression(): boolean {
    let inClass = false;
    const most = Math.min(this.#source.length, this.#at + LENGTH, this.#at + this.#patience);
    for (let end = this.#at + 1; end < most; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 10 || code === 13) break;
      if (code === 92) end += 1;
      else if (code === 91) inClass = true;
      else if (code === 93) inClass = false;
      else if (code === 47 && !inClass) {
        this.#at = end + 1;
        this.#before = ')';
        this.#word = '';
        return true;
      }
    }
    this.#patience -= most - this.#at;
    return false;
  }
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 0x7f
  );
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' };

function unescaped(written: string): string {
  return written.replaceAll(/\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|\r\n|[\s\S])/gi, (escape) => {
    const sign = escape[1] ?? '';
    if ((sign === 'u' || sign === 'x') && escape.length > 2) {
      const point = Number.parseInt(escape.replaceAll(/[^\da-f]/gi, ''), 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '';
    }
    return sign === '\n' || sign === '\r' ? '' : (NAMED[sign] ?? sign);
  });
}
