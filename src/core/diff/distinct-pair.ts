/** Two values that differ in what nobody sees. */

/** Characters without a shape of their own (zero width, soft hyphens, directions, controls), and blanks that look like the usual one. */
const INVISIBLE = /[\p{Cf}\p{Cc}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;
const BLANK = /[\s\u00a0]+/gu;
const SHAPELESS = /[\p{Cf}\p{Cc}]+/gu;
const MARK = /\p{M}/gu;

/** The two, with their invisible characters named (`‹U+200B›`) where they would look the same without. */
export function distinctPair(before: string, after: string): readonly [before: string, after: string] {
  if (before === after) return [before, after];
  const [old, now] = [lookOf(before), lookOf(after)];
  if (old === now) return [before.replace(INVISIBLE, named), after.replace(INVISIBLE, named)];
  // `é` in one character and in two
  if (old.normalize('NFC') !== now.normalize('NFC')) return [before, after];
  return [marked(before), marked(after)];
}

function lookOf(text: string): string {
  return text.replace(BLANK, ' ').replace(SHAPELESS, '').trim();
}

function marked(text: string): string {
  return text.replace(INVISIBLE, named).replace(MARK, named);
}

function named(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
