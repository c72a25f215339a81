/** Tells an address that lacked its data from one that led somewhere: `/users/undefined` and `/phones//reviews`, until a script knew better. */

/** Where a value was to stand: nothing between two signs, or the word for a value that is not known. Never the `//` of a scheme. */
const HOLE = /(?<=(?<!:)\/|=)(?:undefined|null|NaN)(?=[/?&#]|$)|(?<=(?<!:)\/)(?=[/?#]|$)|(?<==)(?=[&#]|$)/g;
const HOLES = 20;
/** Longer addresses are not compared. */
const LENGTH = 2048;

/**
 * How surely is the earlier address of an element the later one without its values? `likely` where only an empty end shows it:
 * `/users/` may be a page beside `/users/5`. Null where it is another address.
 */
export function completionOf(before: string, after: string): 'sure' | 'likely' | null {
  if (before.length > LENGTH || after.length > LENGTH) return null;
  const holes = [...before.matchAll(HOLE)].slice(0, HOLES);
  if (holes.length === 0 || !isFilled(before, after, holes)) return null;
  return holes.some(({ 0: word, index }) => word !== '' || before[index] === '/') ? 'sure' : 'likely';
}

/** Does the later address hold all parts of the earlier one in their order, with something in place of each hole? */
function isFilled(before: string, after: string, holes: readonly RegExpMatchArray[]): boolean {
  let [from, at] = [0, 0];
  for (const { 0: word, index = 0 } of holes) {
    const part = before.slice(from, index);
    const place = from === 0 ? (after.startsWith(part) ? 0 : -1) : after.indexOf(part, at + 1);
    if (place < 0) return false;
    at = place + part.length;
    from = index + word.length;
  }
  const end = before.slice(from);
  return after.length > at + end.length && after.endsWith(end);
}
