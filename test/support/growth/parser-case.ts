/** A function that reads text from outside, with the input of a hostile author. */
export interface ParserCase {
  /** File below `src` and name of the export: `core/links/markup/srcset.ts#srcsetUrls`. */
  readonly name: string;
  /** Other exports that `run` calls with the text. */
  readonly also?: readonly string[];
  /** Reads all of the text; reads lazy results to their end. */
  readonly run: (text: string) => unknown;
  /** If it costs more than others for its length: how many times as much, and what bounds it. */
  readonly dear?: { readonly times: number; readonly bound: string };
  /** Elements of its syntax: hostile texts are made of these, alone and in pairs. */
  readonly tokens: readonly string[];
  /** Hostile texts that pairs of tokens do not make, of about `length` characters. */
  readonly texts?: Readonly<Record<string, (length: number) => string>>;
  /** Work over many items instead of long texts. The returned function is measured, making it is not. */
  readonly lists?: Readonly<Record<string, (count: number) => () => unknown>>;
}

/** The same text repeated up to a length. */
export function repeated(token: string, length: number): string {
  return token.repeat(Math.ceil(length / token.length));
}

/** Reads a generator to its end. */
export function drained(values: Iterable<unknown>): number {
  let count = 0;
  for (const _ of values) count += 1;
  return count;
}
