/** Counts the words of a text, in any language. */

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** A run of characters of a script without spaces between words, or a word. */
const WORD = new RegExp(`([${UNSPACED}]+)|[^\\s${UNSPACED}]+`, 'gu');

/**
 * Where a script has no spaces between words, two characters count as one.
 * @param isWord is this piece between two spaces one? Default: any is
 */
export function wordCount(text: string, isWord: (piece: string) => boolean = () => true): number {
  let [words, characters] = [0, 0];
  for (const [piece, unspaced] of text.matchAll(WORD)) {
    if (unspaced !== undefined) characters += unspaced.length;
    else if (isWord(piece)) words += 1;
  }
  return words + Math.ceil(characters / 2);
}
