/** The contract of the watch over the main loop; it is opened by open-main-loop-watch.ts. */
import type { EpochMs, Milliseconds } from '../units.ts';

/** A time in which the main loop did nothing else: no timer fired, no lease was renewed, no signal was heard. */
export interface Stall {
  /** When the loop last ran, and for how long it did not. */
  readonly began: EpochMs;
  readonly length: Milliseconds;
  /** What was under way, as far as it was noted. */
  readonly during: readonly string[];
}

export interface MainLoopWatch extends AsyncDisposable {
  /** Stalls of a second or more so far. */
  readonly stalls: number;
  /** The longest of them; 0 without any. */
  readonly longest: Milliseconds;
  /** Null without any. Who finds a lease run out compares: one that ran out in a stall says nothing of its page. */
  readonly lastStall: Stall | null;
  /** Something begins that may block the loop; its name is told if it does. Dispose it when it is over. */
  note(what: string): Disposable;
}
