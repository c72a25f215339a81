/** Finds the end of an address in prose: signs of the sentence around it do not belong to it. */

/** A bracket at the end of an address belongs to it if it was opened in it. */
type Brackets = Readonly<Record<string, string>>;

/**
 * An address without the signs that close its sentence, and without brackets that are not opened in it. In one pass from its end.
 * @param closing signs that end a sentence, not an address
 * @param brackets closing bracket → opening bracket
 */
export function withoutClosing(written: string, closing: ReadonlySet<string>, brackets: Brackets): string {
  const counts = new Map<string, number>();
  for (const sign of written) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let end = written.length;
  for (; end > 0; end -= 1) {
    const last = written[end - 1] ?? '';
    const open = brackets[last];
    const count = counts.get(last) ?? 0;
    const isLoose = open !== undefined && count > (counts.get(open) ?? 0);
    if (!isLoose && !closing.has(last)) break;
    counts.set(last, count - 1);
  }
  return written.slice(0, end);
}
