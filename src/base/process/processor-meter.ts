/** The processor time of a process and of all that it has started. */
import { childrenOf, processTicks } from './process-memory.ts';

/** The value on every Linux that Node runs on (sysconf(_SC_CLK_TCK)). */
const TICKS_A_SECOND = 100;
/** Looks in which a process had no children, after which it is asked less often: to ask takes a file for each of its threads. */
const CHILDLESS_LOOKS = 3;
/** One look of so many asks all processes. */
const ASKED_ALL = 10;

/** A process that begins to start others late is seen to have them up to ten looks later. */
export class ProcessorMeter {
  readonly #root: number;
  /** Looks in a row in which a process had no children. */
  #childless = new Map<number, number>();
  #looks = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /** Seconds of processor time so far, by process. */
  read(): ReadonlyMap<number, number> {
    this.#looks += 1;
    const asksAll = this.#looks % ASKED_ALL === 0;
    const childless = new Map<number, number>();
    const pids = [this.#root];
    const seconds = new Map<number, number>();
    for (const pid of pids) {
      const ticks = processTicks(pid);
      if (ticks === null) continue;
      seconds.set(pid, ticks / TICKS_A_SECOND);
      const looks = this.#childless.get(pid) ?? 0;
      const children = asksAll || looks < CHILDLESS_LOOKS ? childrenOf(pid) : [];
      pids.push(...children);
      if (children.length === 0) childless.set(pid, looks + 1);
    }
    this.#childless = childless;
    return seconds;
  }
}
