/** Meanings of JavaScript's words for an expression. */

/**
 * - `declares`, `names`: the next word is a name that is declared.
 * - `changes`: the operand after it has another value than its text.
 * - `ends`: one expression ends, or another begins.
 */
type WordMeaning = 'declares' | 'names' | 'changes' | 'ends';

const MEANINGS: ReadonlyMap<string, WordMeaning> = new Map([
  ...words('declares', 'const let var'),
  ...words('names', 'function class'),
  ...words('changes', 'typeof delete void new await'),
  ...words(
    'ends',
    'return case in of throw else do instanceof yield default export import from extends if while for switch with try finally catch break continue async static',
  ),
]);

function words(meaning: WordMeaning, list: string): readonly (readonly [string, WordMeaning])[] {
  return list.split(' ').map((word) => [word, meaning] as const);
}

/** Null for a name, a number, or a word that stands for a value. */
export function meaningOf(word: string): WordMeaning | null {
  return MEANINGS.get(word) ?? null;
}

/** Brackets behind these words hold no parameters. */
const ASKING: ReadonlySet<string> = new Set(['if', 'while', 'switch', 'with']);

/** @param callee the word before a bracket that is followed by a body */
export function takesParameters(callee: string): boolean {
  return !ASKING.has(callee);
}
