/** The contract of the watch over the main loop; it is opened by open-main-loop-watch.ts. */
import type { EpochMs, Milliseconds } from '../units.ts';

/** A time in which the main loop was blocked: no timer fired, no lease was renewed, no signal was handled. */
export interface Stall {
  /** When the loop last ran, and for how long it did not. */
  readonly began: EpochMs;
  readonly length: Milliseconds;
  /** Work that was under way, as far as it was noted. */
  readonly during: readonly string[];
}

export interface MainLoopWatch extends AsyncDisposable {
  /** Stalls of a second or more so far. */
  readonly stalls: number;
  /** The longest of them; 0 without any. */
  readonly longest: Milliseconds;
  /** Null without any. A lease that ran out during a stall says nothing against its page. */
  readonly lastStall: Stall | null;
  /** Notes the name of work that may block the loop; a stall names it. Dispose it when the work is over. */
  note(what: string): Disposable;
}
