/** The changes of a passage, word by word, in the form of `wdiff`: `The price is [-12-] {+14+} euro`. */
import { cutText } from '../../base/cut-text.ts';
import { distinctPair } from './distinct-pair.ts';
import { editScript, type Hunk } from './edit-script.ts';

/** Words of a passage that are compared (arbitrary); characters that are shown; words that are shown around a change. */
const MOST_WORDS = 10_000;
const SHOWN = 600;
const AROUND = 6;

/** A word, or one character of a script that writes no blanks between words. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

interface WordChange {
  /** The change with the words around it. */
  readonly shown: string;
  /** The removed and added words alone: equal for the same change on another page. */
  readonly key: string;
}

export function wordChange(before: string, after: string): WordChange {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const hunks = withoutEnd(editScript(old, now), old, now);
  const shown: string[] = [];
  const key: string[] = [];
  let at = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of hunks) {
    shown.push(...around(old.slice(at, oldFrom), shown.length === 0));
    const [gone, come] = [old.slice(oldFrom, oldTo).join(' '), now.slice(newFrom, newTo).join(' ')];
    const [lost, found] = distinctPair(gone, come);
    if (gone !== '') shown.push(`[-${lost}-]`);
    if (come !== '') shown.push(`{+${found}+}`);
    key.push(`${gone}\u0000${come}`);
    at = oldTo;
  }
  const rest = old.slice(at);
  shown.push(...(rest.length > AROUND || isCut(old, now) ? [...rest.slice(0, AROUND), '…'] : rest));
  return { shown: cutText(shown.join(' '), SHOWN), key: key.join('\u0001') };
}

/** Without a change that only the end of the compared words makes: a word that was pushed beyond it is not gone. */
function withoutEnd(hunks: readonly Hunk[], old: readonly string[], now: readonly string[]): readonly Hunk[] {
  const last = hunks.at(-1);
  return isCut(old, now) && hunks.length > 1 && last?.oldTo === old.length ? hunks.slice(0, -1) : hunks;
}

/** May there be further words that are not compared? */
function isCut(old: readonly string[], now: readonly string[]): boolean {
  return old.length >= MOST_WORDS || now.length >= MOST_WORDS;
}

/** The words between two changes, or before the first one. */
function around(words: readonly string[], isFirst: boolean): readonly string[] {
  if (isFirst) return words.length > AROUND ? ['…', ...words.slice(-AROUND)] : words;
  return words.length > 2 * AROUND ? [...words.slice(0, AROUND), '…', ...words.slice(-AROUND)] : words;
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (words.length >= MOST_WORDS) break;
    words.push(word);
  }
  return words;
}
