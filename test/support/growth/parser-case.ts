/** A function that reads text from outside, and what a hostile author would give it. */
export interface ParserCase {
  /** File below `src` and name of the export: `core/links/markup/srcset.ts#srcsetUrls`. */
  readonly name: string;
  /** Other exports that `run` asks with the text. */
  readonly also?: readonly string[];
  /** Reads all of the text; whatever is lazy is read to its end. */
  readonly run: (text: string) => unknown;
  /** Where it costs more than others for its length, how many times as much, and what bounds it. */
  readonly dear?: { readonly times: number; readonly bound: string };
  /** What its syntax is made of: hostile texts are made of these, alone and in pairs. */
  readonly tokens: readonly string[];
  /** Hostile texts that no pair of tokens makes, of about `length` characters. */
  readonly texts?: Readonly<Record<string, (length: number) => string>>;
  /** Work over many things instead of long texts. What is returned is measured, making it is not. */
  readonly lists?: Readonly<Record<string, (count: number) => () => unknown>>;
}

/** The same text again and again, up to a length. */
export function repeated(token: string, length: number): string {
  return token.repeat(Math.ceil(length / token.length));
}

/** Reads a generator to its end. */
export function drained(values: Iterable<unknown>): number {
  let count = 0;
  for (const _ of values) count += 1;
  return count;
}
