/** Texts that are remembered by default; with short values some 5 MB (arbitrary). */
const MOST = 30_000;
/** For longer ones the value is made each time. */
const LENGTH = 300;

/**
 * A pure function of texts that remembers what it gave. Texts that come again and again come as one string, whose hash is known: to look such
 * a one up takes less than to read it. All are forgotten at once when there are too many: what is in use comes back.
 * @param most texts that are remembered, 1 or more
 * @param keep makes of a text what is kept; where no text is a piece of a longer one that may be the text itself, which is found sooner than its copy
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

/** As it is: for texts that were made by themselves, as canonical URLs are. */
export function sameText(text: string): string {
  return text;
}

/**
 * A copy, to be kept: V8 keeps all of the text that a piece was cut out of for as long as the piece is kept. Every code unit stays what it is,
 * half a pair of surrogates as well.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
