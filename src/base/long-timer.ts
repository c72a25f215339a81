/** A timer for waits of any length: Node's own timers ring at once for waits above 24.8 days. */
import { milliseconds, type Milliseconds } from './units.ts';

/** The longest wait of a Node timer (ms). */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls `ring` once after the wait, unless it is disposed before. */
export function startLongTimer(wait: Milliseconds, ring: () => void): Disposable {
  let timer = setFor(wait);

  function setFor(left: Milliseconds): NodeJS.Timeout {
    if (left <= LONGEST_TIMER) return setTimeout(ring, left);
    return setTimeout(() => {
      timer = setFor(milliseconds(left - LONGEST_TIMER));
    }, LONGEST_TIMER);
  }

  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
