/** The string literals of a JavaScript source, each with what stands around it. In one pass, whatever it is given. */
import { ScriptScanner } from './script-scanner.ts';

export interface ScriptString {
  /** The text of the string, its escapes undone. */
  readonly value: string;
  /** The word or the sign before it: `(`, `=`, `from`, `+`. */
  readonly before: string;
  /** The word before `before`, where that is a sign: of `fetch("/a")` it is `fetch`. Within a call of `concat` that. */
  readonly word: string;
  /** The source that follows, spaces left out: some characters. */
  readonly after: string;
}

/** Characters that are reported of what follows. */
export const AFTER_LENGTH = 24;

/** @param source of a script; not needed to be valid */
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

/** Follows whether the text stands in a call of `concat`. */
class ConcatCalls {
  #parentheses = 0;
  /** How deep the outermost of them is; null outside of one. */
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
