/** The string literals of a JavaScript source, each with the code around it. In one pass, on any input. */
import { ScriptScanner } from './script-scanner.ts';

export interface ScriptString {
  /** The text of the string, with its escapes decoded. */
  readonly value: string;
  /** The word or the sign before it: `(`, `=`, `from`, `+`. */
  readonly before: string;
  /** The word before `before`, where that is a sign: `fetch` for `fetch("/a")`. Within a call of `concat`: `concat`. */
  readonly word: string;
  /** Some characters of the source that follows, without leading spaces. */
  readonly after: string;
}

/** Characters of the following source that are reported. */
export const AFTER_LENGTH = 24;

/** @param source of a script; it need not be valid */
export function* scriptStrings(source: string): Generator<ScriptString> {
  const scanner = new ScriptScanner(source);
  const calls = new ConcatCalls();
  for (;;) {
    const { before, word } = scanner;
    const token = scanner.next();
    if (token === 'end') return;
    if (token === 'sign') calls.sign(scanner.text, before);
    if (token !== 'string' || scanner.text === '') continue;
    yield {
      value: scanner.text,
      before,
      word: calls.inside ? 'concat' : word,
      after: scanner.following(AFTER_LENGTH),
    };
  }
}

/** Tracks whether the text stands in a call of `concat`. */
class ConcatCalls {
  #parentheses = 0;
  /** Depth of the outermost of them; null outside of one. */
  #depth: number | null = null;

  get inside(): boolean {
    return this.#depth !== null;
  }

  sign(sign: string, before: string): void {
    if (sign === '(') {
      this.#parentheses += 1;
      if (before === 'concat') this.#depth ??= this.#parentheses;
    } else if (sign === ')') {
      if (this.#parentheses === this.#depth) this.#depth = null;
      this.#parentheses -= 1;
    }
  }
}
