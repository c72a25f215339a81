/** The shortest way from one list to another (Myers, "An O(ND) Difference Algorithm", 1986), with a bound on its work. */

/** A stretch that differs: `before` from `oldFrom` to `oldTo` became `after` from `newFrom` to `newTo`. */
export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Most insertions and deletions that are sought in one go (arbitrary: 1.5 MB of memory at the most). */
const MOST_EDITS = 600;
/** So often a stretch with more of them is divided, and then taken as one that differs as a whole (arbitrary: it bounds the work). */
const MOST_DIVISIONS = 3;

/**
 * The stretches in which two lists differ, in order; empty where they are equal. Where they differ in more than {@link MOST_EDITS} items,
 * items that each has once divide them ("patience diff"); without such items the lists have one stretch.
 * @param before @param after items, compared by `===`
 */
export function editScript(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const whole = { oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length };
  addStretches({ before, after, hunks }, whole, MOST_DIVISIONS);
  return hunks;
}

interface Lists {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly hunks: Hunk[];
}

function addStretches(lists: Lists, whole: Hunk, divisions: number): void {
  const { before, after, hunks } = lists;
  const range = differingRange(before, after, whole);
  const { oldFrom, oldTo, newFrom, newTo } = range;
  if (oldFrom === oldTo && newFrom === newTo) return;
  const trace = oldFrom === oldTo || newFrom === newTo ? null : forwards(before, after, range);
  if (trace !== null) {
    for (const hunk of backwards(trace, range)) hunks.push(hunk);
    return;
  }
  const anchors = divisions === 0 ? [] : commonAnchors(before, after, range);
  if (anchors.length === 0) hunks.push(range);
  else {
    let [oldAt, newAt] = [oldFrom, newFrom];
    for (const [old, now] of [...anchors, [oldTo, newTo] as const]) {
      addStretches(lists, { oldFrom: oldAt, oldTo: old, newFrom: newAt, newTo: now }, divisions - 1);
      [oldAt, newAt] = [old + 1, now + 1];
    }
  }
}

/** Without what is equal at its beginning and at its end. */
function differingRange(before: readonly string[], after: readonly string[], range: Hunk): Hunk {
  let { oldFrom, oldTo, newFrom, newTo } = range;
  while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
    oldFrom += 1;
    newFrom += 1;
  }
  while (oldTo > oldFrom && newTo > newFrom && before[oldTo - 1] === after[newTo - 1]) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

/** Where items stand that each list has once: as many of them as stand in the same order in both. */
function commonAnchors(
  before: readonly string[],
  after: readonly string[],
  { oldFrom, oldTo, newFrom, newTo }: Hunk,
): readonly (readonly [old: number, now: number])[] {
  const [old, now] = [placesOfSingles(before, oldFrom, oldTo), placesOfSingles(after, newFrom, newTo)];
  const pairs: (readonly [number, number])[] = [];
  for (const [item, at] of old) {
    const found = now.get(item) ?? -1;
    if (at >= 0 && found >= 0) pairs.push([at, found]);
  }
  return longestRise(pairs);
}

/** The place of each item; -1 for one that is there several times. In the order of their first places. */
function placesOfSingles(items: readonly string[], from: number, to: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const item = items[at] ?? '';
    places.set(item, places.has(item) ? -1 : at);
  }
  return places;
}

/** The most pairs whose second numbers rise, of pairs whose first ones do. */
function longestRise(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const ends: number[] = []; // by the length of a rise: the pair at which the lowest such rise ends
  const previous = new Int32Array(pairs.length);
  const value = (at: number): number => pairs[at]?.[1] ?? 0;
  for (let at = 0; at < pairs.length; at += 1) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value(ends[middle] ?? 0) < value(at)) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const rise: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) rise.push(pair);
  }
  return rise.toReversed();
}

/** The furthest points of each number of edits; null where there are too many. */
function forwards(before: readonly string[], after: readonly string[], range: Hunk): readonly Int32Array[] | null {
  const [length, height] = [range.oldTo - range.oldFrom, range.newTo - range.newFrom];
  const most = Math.min(length + height, MOST_EDITS);
  const trace: Int32Array[] = [];
  let last = new Int32Array(3); // diagonals -1 to 1 of no edits: all begin at 0
  for (let edits = 0; edits <= most; edits += 1) {
    const reached = new Int32Array(2 * edits + 3);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = (k: number): number => last[k + edits] ?? 0; // of edits - 1, whose middle is at `edits`
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = edits === 0 ? 0 : down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < length && y < height && before[range.oldFrom + x] === after[range.newFrom + y]) {
        x += 1;
        y += 1;
      }
      reached[diagonal + edits + 1] = x;
      if (x >= length && y >= height) return [...trace, reached];
    }
    trace.push(reached);
    last = reached;
  }
  return null;
}

function backwards(trace: readonly Int32Array[], range: Hunk): readonly Hunk[] {
  const hunks: { oldFrom: number; oldTo: number; newFrom: number; newTo: number }[] = [];
  let [x, y] = [range.oldTo - range.oldFrom, range.newTo - range.newFrom];
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const last = trace[edits - 1] ?? new Int32Array(0);
    const at = (k: number): number => last[k + edits] ?? 0;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const [oldX, oldY] = [at(from), at(from) - from];
    // the edit stands before the run of equal items that leads to here
    const [editX, editY] = down ? [oldX, oldY + 1] : [oldX + 1, oldY];
    const [first] = hunks;
    const [oldAt, newAt] = [range.oldFrom + oldX, range.newFrom + oldY];
    if (first !== undefined && first.oldFrom === range.oldFrom + editX && first.newFrom === range.newFrom + editY) {
      first.oldFrom = oldAt;
      first.newFrom = newAt;
    } else {
      hunks.unshift({
        oldFrom: oldAt,
        oldTo: range.oldFrom + editX,
        newFrom: newAt,
        newTo: range.newFrom + editY,
      });
    }
    [x, y] = [oldX, oldY];
  }
  return hunks;
}
