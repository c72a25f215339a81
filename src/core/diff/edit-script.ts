/** The shortest way from one list to another (Myers, "An O(ND) Difference Algorithm", 1986), with a bound on its work. */

/** A stretch that differs: `before` from `oldFrom` to `oldTo` became `after` from `newFrom` to `newTo`. */
export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Most insertions and deletions that are sought; texts that differ in more are unrelated (arbitrary: 1.5 MB of memory at the most). */
const MOST_EDITS = 600;

/**
 * The stretches in which two lists differ, in order; empty where they are equal. Lists that differ in more than
 * {@link MOST_EDITS} items have one stretch.
 * @param before @param after items, compared by `===`
 */
export function editScript(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (start === oldEnd && start === newEnd) return [];
  const whole = { oldFrom: start, oldTo: oldEnd, newFrom: start, newTo: newEnd };
  if (start === oldEnd || start === newEnd) return [whole];
  const trace = forwards(before, after, whole);
  return trace === null ? [whole] : backwards(trace, whole);
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
