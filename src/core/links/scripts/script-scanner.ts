/**
 * Scans the tokens of a JavaScript source. It knows comments, templates and regular expressions: enough not to take code for
 * text, without parsing it. It ends on any input, and in one pass.
 */

/**
 * - `word`: a name, a keyword or a number.
 * - `sign`: an operator or a bracket.
 * - `string`: a literal in quotes, or a template without expressions.
 * - `opened`, `between`, `closed`: the pieces of a template with expressions; the tokens of an expression stand between two of them.
 * - `value`: a literal that is no text: a regular expression, a string that is too long or does not end.
 * - `comment`: with its text.
 */
type ScriptToken = 'word' | 'sign' | 'string' | 'opened' | 'between' | 'closed' | 'value' | 'comment' | 'end';

/** Longer strings are data. */
const LENGTH = 2048;
/** Characters of a word that are read: longer names are of no interest. */
const WORD_LENGTH = 40;
/** Characters of a comment that are read. */
const COMMENT_LENGTH = 20_000;
/** Most characters searched in vain for the end of a regular expression: for each of the source, and the least and most for any source. */
const LOOK_AHEAD = 8;
const LEAST_LOOK_AHEAD = 4096;
const MOST_LOOK_AHEAD = 4_000_000;
/** Words after which a slash begins a regular expression. */
const OPERATORS: ReadonlySet<string> = new Set(
  'return typeof case in of delete void throw new else do instanceof yield await'.split(' '),
);
/** Words before a bracket with a condition: a slash after it begins a regular expression, as no value came before. */
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'with']);
/** Operators of several signs that must not be taken for those they begin with. */
const LONG_SIGNS = /=>|===?|!==?|[+\-*/%&|^<>]=|\+\+|--|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\.\.\.|\*\*=?/y;

export class ScriptScanner {
  /** The last token: the word, the operator, the content of a literal or a comment. */
  text = '';
  /** Does a line end right before the last token? */
  newLine = false;
  readonly #source: string;
  #at = 0;
  /** The last sign or word, and the word next to it. */
  #before = '';
  #word = '';
  /** Characters that may still be searched in vain for the end of a regular expression. */
  #lookAhead: number;
  /** Of each open bracket: does it hold a condition? And of the one that was closed last. */
  readonly #conditions: boolean[] = [];
  #afterCondition = false;
  /** Is the last word a member of something? */
  #isMember = false;
  /** Open braces in the current expression of each open template. */
  readonly #templates: number[] = [];

  /** @param source of a script; it need not be valid */
  constructor(source: string) {
    this.#source = source;
    this.#lookAhead = Math.min(MOST_LOOK_AHEAD, LEAST_LOOK_AHEAD + source.length * LOOK_AHEAD);
  }

  /** The last sign or word before the next token; of a longer operator its last sign. */
  get before(): string {
    return this.#before;
  }

  /** The word before `before`, where that is a sign of its own; else `before` itself, or nothing. */
  get word(): string {
    return this.#word;
  }

  /** The source that follows, without white space at its beginning. @param length of it, at most */
  following(length: number): string {
    return this.#source.slice(this.#at, this.#at + length).trimStart();
  }

  next(): ScriptToken {
    const source = this.#source;
    this.newLine = false;
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at);
      if (isSpace(code)) {
        this.newLine ||= code === 10 || code === 13;
        this.#at += 1;
        continue;
      }
      if (isWordCode(code)) return this.#readWord();
      if (code === 34 || code === 39) return this.#string(code);
      if (code === 96) return this.#template('string', 'opened');
      if (code === 47) return this.#slash();
      if (code === 125 && this.#templates.at(-1) === 0) {
        this.#templates.pop();
        return this.#template('closed', 'between');
      }
      return this.#sign(code);
    }
    return 'end';
  }

  #readWord(): 'word' {
    const start = this.#at;
    do this.#at += 1;
    while (this.#at < this.#source.length && isWordCode(this.#source.charCodeAt(this.#at)));
    this.text = this.#source.slice(start, Math.min(this.#at, start + WORD_LENGTH));
    this.#isMember = this.#before === '.';
    this.#word = this.text;
    this.#before = this.text;
    return 'word';
  }

  #sign(code: number): 'sign' {
    const open = this.#templates.length - 1;
    if (open >= 0 && (code === 123 || code === 125))
      this.#templates[open] = (this.#templates[open] ?? 0) + (code === 123 ? 1 : -1);
    if (code === 40)
      this.#conditions.push(this.#before === this.#word && !this.#isMember && CONDITIONS.has(this.#word));
    this.#afterCondition = code === 41 && this.#conditions.pop() === true;
    LONG_SIGNS.lastIndex = this.#at;
    const long = isLongStart(code) ? LONG_SIGNS.exec(this.#source) : null;
    this.text = long === null ? (this.#source[this.#at] ?? '') : long[0];
    // only a sign next to the word belongs to it
    if (this.#before !== this.#word || this.text.length > 1) this.#word = '';
    this.#before = this.text.at(-1) ?? '';
    this.#at += this.text.length;
    return 'sign';
  }

  #string(quote: number): ScriptToken {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#source.length; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 92) end += 1;
      else if (code === quote) break;
      else if (code === 10 || code === 13) {
        this.#at = end; // a quote that was none: what follows is read anew
        return this.#literal('value', '');
      }
    }
    this.#at = end + 1;
    return this.#said('string', start, end);
  }

  /** Reads a template from its opening or continuing sign to its end, or to its next expression. */
  #template(whole: 'string' | 'closed', broken: 'opened' | 'between'): ScriptToken {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#source.length; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 92) end += 1;
      else if (code === 96) break;
      else if (code === 36 && this.#source.charCodeAt(end + 1) === 123) {
        this.#templates.push(0);
        this.#at = end + 2;
        // too long a text reads as white space, which no address has
        this.text = end - start > LENGTH ? ' ' : valueOf(this.#source.slice(start, end));
        this.#before = '{';
        return broken;
      }
    }
    this.#at = end + 1;
    return this.#said(whole, start, end);
  }

  #said(token: 'string' | 'closed', start: number, end: number): ScriptToken {
    const isEmpty = end <= start;
    if (end - start > LENGTH || end >= this.#source.length) {
      return this.#literal(token === 'closed' ? 'closed' : 'value', ' ');
    }
    return this.#literal(token, isEmpty ? '' : valueOf(this.#source.slice(start, end)));
  }

  #literal(token: ScriptToken, text: string): ScriptToken {
    this.text = text;
    this.#before = token === 'closed' ? '`' : '"';
    this.#word = '';
    return token;
  }

  #slash(): ScriptToken {
    const source = this.#source;
    const following = source.charCodeAt(this.#at + 1);
    if (following === 47 || following === 42) {
      const end = source.indexOf(following === 47 ? '\n' : '*/', this.#at + 2);
      const close = end === -1 ? source.length : end;
      this.text = source.slice(this.#at + 2, Math.min(close, this.#at + 2 + COMMENT_LENGTH));
      this.#at = following === 47 ? close : Math.min(source.length, close + 2);
      return 'comment';
    }
    return this.#expectsValue() && this.#regularExpression() ? 'value' : this.#sign(47);
  }

  #expectsValue(): boolean {
    if (this.#before === '') return true;
    if (this.#before === ')') return this.#afterCondition;
    return this.#before === this.#word ? OPERATORS.has(this.#word) : !/[\]"`]/.test(this.#before);
  }

  #regularExpression(): boolean {
    let inClass = false;
    const most = Math.min(this.#source.length, this.#at + LENGTH, this.#at + this.#lookAhead);
    for (let end = this.#at + 1; end < most; end++) {
      const code = this.#source.charCodeAt(end);
      if (code === 10 || code === 13) break;
      if (code === 92) end += 1;
      else if (code === 91) inClass = true;
      else if (code === 93) inClass = false;
      else if (code === 47 && !inClass) {
        this.#at = end + 1;
        this.text = '';
        this.#before = ')';
        this.#afterCondition = false;
        this.#word = '';
        return true;
      }
    }
    this.#lookAhead -= most - this.#at;
    return false;
  }
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0x2028 || code === 0x2029;
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

const LONG_STARTS: ReadonlySet<number> = new Set([...'=!+-*/%&|^<>?.'].map((sign) => sign.charCodeAt(0)));

function isLongStart(code: number): boolean {
  return LONG_STARTS.has(code);
}

function valueOf(written: string): string {
  return written.includes('\\') ? unescaped(written) : written;
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
