/**
 * The role of a character in the words of a text. Looked up by UTF-16 unit in a table that is filled as characters come by:
 * a regular expression over the whole text takes five times as long.
 */

/** Nothing of a word: white space, punctuation, symbols. */
export const APART = 0;
/** A piece of a word: a letter, a digit, or a mark of them. */
export const PIECE = 1;
/** A word by itself: a character of a script without spaces between words, and the token for a moment. */
export const WHOLE = 2;
/** A mark: it belongs to the character before it. */
export const MARK = 3;
/** Half of a character beyond the first plane (a surrogate): only both halves together have a class. */
export const HALF = 4;

type CharacterClass = typeof APART | typeof PIECE | typeof WHOLE | typeof MARK | typeof HALF;

const WHOLES =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\uE000]$/u;
const MARKS = /^\p{M}$/u;
const PIECES = /^[\p{L}\p{N}]$/u;

const UNKNOWN = 0xff;
/** The classes of UTF-16 units as far as they are known: a loop over a text looks here before it calls {@link classOfUnit}. */
export const KNOWN_CLASSES: Uint8Array = new Uint8Array(0x1_0000).fill(UNKNOWN).fill(HALF, 0xd800, 0xe000);

/** The class of a UTF-16 unit; HALF means that the next one is needed, too. */
export function classOfUnit(unit: number): number {
  const known = KNOWN_CLASSES[unit] ?? APART;
  if (known !== UNKNOWN) return known;
  const found = classOf(unit);
  KNOWN_CLASSES[unit] = found;
  return found;
}

/** The class of a whole character. Marks come first: some of them are of a script without spaces between words. */
export function classOf(codePoint: number): CharacterClass {
  const character = String.fromCodePoint(codePoint);
  if (MARKS.test(character)) return MARK;
  if (WHOLES.test(character)) return WHOLE;
  return PIECES.test(character) ? PIECE : APART;
}
