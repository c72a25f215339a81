/** Computes the figures that people compare from a browser's report of a load. */
import type { PaintMetrics, RawPaint } from '../../model/paint.ts';

/** Layout shifts are summed in windows: up to 5 s long, ended by a second of rest (https://web.dev/articles/cls). */
const WINDOW = 5000;
const REST = 1000;
/** The time of a task that somebody who taps does not notice (https://web.dev/articles/tbt). */
const UNNOTICED = 50;
/** Least number of loads for a median. */
const LEAST_LOADS = 2;

export function paintMetrics({ firstPaint, largestPaint, shifts, tasks }: RawPaint): PaintMetrics {
  return {
    fcp: firstPaint === null ? null : Math.round(firstPaint),
    lcp: largestPaint === null ? null : Math.round(largestPaint),
    cls: Number(largestWindow(shifts).toFixed(4)),
    tbt: Math.round(tasks.reduce((sum, task) => sum + blockedBy(task, firstPaint ?? 0), 0)),
    longTasks: tasks.length,
  };
}

/** The part of a task that blocks, as far as it comes after the first paint. */
function blockedBy({ at, duration }: RawPaint['tasks'][number], from: number): number {
  const begin = Math.max(at, from);
  return Math.max(0, at + duration - begin - UNNOTICED);
}

function largestWindow(shifts: RawPaint['shifts']): number {
  let [largest, sum, first, last] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, value } of shifts.toSorted((one, other) => one.at - other.at)) {
    if (at - last > REST || at - first > WINDOW) [sum, first] = [0, at];
    sum += value;
    last = at;
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** The median of each figure by itself; null where there are too few loads. */
export function medianPaint(loads: readonly PaintMetrics[]): PaintMetrics | null {
  if (loads.length < LEAST_LOADS) return null;
  const of = (name: keyof PaintMetrics): number | null =>
    median(loads.flatMap((load) => (load[name] === null ? [] : [load[name]])));
  return { fcp: of('fcp'), lcp: of('lcp'), cls: of('cls') ?? 0, tbt: of('tbt') ?? 0, longTasks: of('longTasks') ?? 0 };
}

/** The median; of an even number the larger of the two in the middle, so that it is a measured figure. */
function median(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}
