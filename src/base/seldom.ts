import { performance } from 'node:perf_hooks';
import type { Milliseconds } from './units.ts';

/**
 * Makes an action of which at most one call in a while counts; others do nothing: what fails again and again is told once in that time.
 * @param now monotonic time
 */
export function seldom<Args extends readonly unknown[]>(
  pause: Milliseconds,
  action: (...args: Args) => void,
  now: () => number = () => performance.now(),
): (...args: Args) => void {
  let last = -Infinity;
  return (...args) => {
    if (now() - last < pause) return;
    last = now();
    action(...args);
  };
}
