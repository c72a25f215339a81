/** Texts that are remembered by default; with short values some 5 MB (arbitrary). */
const MOST = 30_000;
/** For longer ones the value is made each time. */
const LENGTH = 300;

/**
 * A pure function of texts that remembers what it gave. Texts that come again and again come as one string, whose hash is known: to look such
 * a one up takes less than to read it. All are forgotten at once when there are too many: what is in use comes back.
 * @param most texts that are remembered, 1 or more
 */
export function remembered<Text extends string, Value>(
  make: (text: Text) => Value,
  most: number = MOST,
): (text: Text) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const known = values.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (text.length > LENGTH) return made;
    if (values.size >= most) values.clear();
    values.set(ownText(text), made);
    return made;
  };
}

/**
 * A copy, to be kept: V8 keeps all of the text that a piece was cut out of for as long as the piece is kept. Every code unit stays what it is,
 * half a pair of surrogates as well.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
