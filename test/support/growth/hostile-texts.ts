import { repeated, type ParserCase } from './parser-case.ts';

export interface HostileText {
  readonly name: string;
  readonly make: (length: number) => string;
}

/** Texts after the repetition that make the match so far fail. */
const ENDS = ['', '\u0001', '\n', '!', 'a', '"', ')', ' '] as const;

/** Each token repeated, and each pair in three forms: alternating, one once and then the other repeated, many of one and then of the other. */
export function hostileTexts({ tokens, texts = {} }: ParserCase): readonly HostileText[] {
  const found: HostileText[] = [];
  // the place in the list decides the end of a text: the same end each time, and all ends occur
  const add = (name: string, make: (length: number) => string): void => {
    const end = ENDS[found.length % ENDS.length] ?? '';
    found.push({ name: `${name} + ${JSON.stringify(end)}`, make: (length) => make(length) + end });
  };
  for (const token of tokens) add(`${shown(token)} again and again`, (length) => repeated(token, length));
  for (const one of tokens) {
    for (const other of tokens) {
      if (one === other) continue;
      const pair = `${shown(one)}, ${shown(other)}`;
      add(`${pair} in turn`, (length) => repeated(one + other, length));
      add(`${pair}: the second again and again`, (length) => one + repeated(other, length));
      add(`${pair}: many of each`, (length) => repeated(one, length / 2) + repeated(other, length / 2));
    }
  }
  return [...handWritten(texts), ...found];
}

/** The hand-written texts, which come first in {@link hostileTexts}. */
export function handWritten(texts: NonNullable<ParserCase['texts']>): readonly HostileText[] {
  return Object.entries(texts).map(([name, make]) => ({ name, make }));
}

function shown(token: string): string {
  return JSON.stringify(token.length > 24 ? `${token.slice(0, 24)}…` : token);
}
