/**
 * The contents of JSON answers: single values, each with its place (`0/items/[]/slug` stands for a field of every entry of a list), and
 * traits, in which answers differ beyond their values: the fields that there are, and those that are true, null or empty.
 */
import { parsedJson } from '../../base/safe-json.ts';

export interface Leaf {
  /** Number of the answer and names of fields; `[]` for any entry of a list. */
  readonly pattern: string;
  /** Index of the entry in each list, from the outermost on. */
  readonly entries: readonly number[];
  readonly value: string;
  /** False for a number: the address around it must identify it more clearly. */
  readonly isText: boolean;
}

interface AnswerData {
  readonly leaves: readonly Leaf[];
  readonly traits: readonly string[];
}

/** Most values, traits and levels that are read: with more of them a page is left to a browser. */
const MOST_LEAVES = 5000;
const MOST_TRAITS = 500;
const MOST_DEPTH = 12;

/** @returns null where an answer is not JSON, or too large */
export function answerData(answers: readonly string[]): AnswerData | null {
  const found: Found = { leaves: [], traits: new Set() };
  for (const [index, text] of answers.entries()) {
    const value = parsedJson(text);
    if (value === undefined || !walk(value, { pattern: String(index), entries: [], depth: 0 }, found)) return null;
  }
  return { leaves: found.leaves, traits: [...found.traits] };
}

interface Found {
  readonly leaves: Leaf[];
  readonly traits: Set<string>;
}

interface Place extends Pick<Leaf, 'pattern' | 'entries'> {
  readonly depth: number;
}

/** @returns false where there is too much of it */
function walk(value: unknown, { pattern, entries, depth }: Place, found: Found): boolean {
  if (depth > MOST_DEPTH || found.leaves.length >= MOST_LEAVES || found.traits.size >= MOST_TRAITS) return false;
  if (Array.isArray(value)) {
    if (value.length === 0) found.traits.add(`${pattern} empty`);
    return value.every((each, index) =>
      walk(each, { pattern: `${pattern}/[]`, entries: [...entries, index], depth: depth + 1 }, found),
    );
  }
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).every(([name, each]) =>
      walk(each, { pattern: `${pattern}/${name.replaceAll('/', '~1')}`, entries, depth: depth + 1 }, found),
    );
  }
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number') found.traits.add(`${pattern} ${String(value)}`);
  else if (value === '' || value === 0) found.traits.add(`${pattern} empty`);
  else {
    found.traits.add(pattern);
    found.leaves.push({ pattern, entries, value: String(value), isText });
  }
  return true;
}
