/** Lines that a page has at another place: they are neither gone nor new. */
import type { Hunk } from './edit-script.ts';

/** What changed at one place, by the numbers of its lines; without those that only moved. */
export interface ChangedLines {
  readonly gone: readonly number[];
  readonly come: readonly number[];
  /** Where the earlier lines of the place begin and end. */
  readonly oldFrom: number;
  readonly oldTo: number;
}

/** Lines that follow each other at their earlier place, and at their new one. */
export interface MovedLines {
  readonly oldFrom: number;
  readonly oldTo: number;
}

/** From so many characters on, a line that another one replaced is looked for elsewhere, too: short ones, as of a table, are there by chance (arbitrary). */
const LONG = 20;
const WORD = /\p{L}{2}/u;

/**
 * Parts the lines that moved from those that changed.
 * @param script what differs between both lists @param old @param now lines, compared by `===`
 */
export function movedApart(
  script: readonly Hunk[],
  old: readonly string[],
  now: readonly string[],
): { readonly changed: readonly ChangedLines[]; readonly moved: readonly MovedLines[] } {
  const moves = movesOf(script, old, now);
  const taken = new Set(moves.values());
  const changed = script.map(({ oldFrom, oldTo, newFrom, newTo }) => {
    const gone = numbers(oldFrom, oldTo).filter((at) => !taken.has(at));
    const come = numbers(newFrom, newTo).filter((at) => !moves.has(at));
    const isSame = gone.length === oldTo - oldFrom;
    const [from, to] = isSame ? [oldFrom, oldTo] : [gone[0] ?? oldFrom, (gone.at(-1) ?? oldTo - 1) + 1];
    return { gone, come, oldFrom: from, oldTo: to };
  });
  return { changed: changed.filter(({ gone, come }) => gone.length + come.length > 0), moved: runsOf(moves) };
}

/** The earlier number of each line that moved, by its new number, in the order of the page. */
function movesOf(script: readonly Hunk[], old: readonly string[], now: readonly string[]): ReadonlyMap<number, number> {
  const lost = new Map<string, number[]>();
  const replaced = new Set<number>();
  for (const { oldFrom, oldTo, newFrom, newTo } of script.toReversed()) {
    for (const at of numbers(oldFrom, oldTo).toReversed()) {
      const line = old[at] ?? '';
      if (newFrom < newTo) replaced.add(at);
      const places = lost.get(line);
      if (places === undefined) lost.set(line, [at]);
      else places.push(at);
    }
  }
  const moves = new Map<number, number>();
  for (const { oldFrom, oldTo, newFrom, newTo } of script) {
    for (const at of numbers(newFrom, newTo)) {
      const line = now[at] ?? '';
      const places = lost.get(line);
      const place = places?.at(-1);
      if (places === undefined || place === undefined || !WORD.test(line)) continue;
      if (line.length < LONG && (oldFrom < oldTo || replaced.has(place))) continue;
      places.pop();
      moves.set(at, place);
    }
  }
  return moves;
}

function runsOf(moves: ReadonlyMap<number, number>): readonly MovedLines[] {
  const runs: { oldFrom: number; oldTo: number; newTo: number }[] = [];
  for (const [at, place] of moves) {
    const last = runs.at(-1);
    if (last !== undefined && last.oldTo === place && last.newTo === at) {
      last.oldTo += 1;
      last.newTo += 1;
    } else runs.push({ oldFrom: place, oldTo: place + 1, newTo: at + 1 });
  }
  return runs;
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
