/** Texts that are remembered by default; with short values some 5 MB (arbitrary). */
const MOST = 30_000;
/** Characters of the longest text that is remembered; for longer ones the value is made each time. */
const LENGTH = 300;

/**
 * Makes a pure function of texts remember its values. A text that comes again and again comes as one string, whose hash is known: looking it up
 * takes less than reading it. All values are forgotten at once when there are too many: those in use come back.
 * @param most texts that are remembered, 1 or more
 * @param keep makes the copy of a text that is kept; it may be the text itself, which is found sooner, where no text is a piece of a longer one
 */
export function remembered<Text extends string, Value>(
  make: (text: Text) => Value,
  { most = MOST, keep = ownText }: { readonly most?: number; readonly keep?: (text: Text) => string } = {},
): (text: Text) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const known = values.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (text.length > LENGTH) return made;
    if (values.size >= most) values.clear();
    values.set(keep(text), made);
    return made;
  };
}

/** The text itself: for texts that were made by themselves, as canonical URLs are. */
export function sameText(text: string): string {
  return text;
}

/**
 * A copy of a text, to be kept: V8 keeps the whole text that a piece was cut out of for as long as the piece is kept. Every code unit stays as
 * it is, half a pair of surrogates as well.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
