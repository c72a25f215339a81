/**
 * Measures how much of a stretch of real time a browser could use. On a busy machine a healthy browser answers late: a deadline by real time
 * alone takes it for one that hangs. A hanging browser computes, or rests though a processor is free; a starved one waits for a processor.
 */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** The time of a thread so far, in milliseconds (Linux, Documentation/scheduler/sched-stats.rst: schedstat). */
export interface ThreadTime {
  /** On a processor. */
  readonly ran: number;
  /** Ready to run, but on no processor. */
  readonly waited: number;
}

/** The processes of a browser at one moment. */
export interface ProcessorLook {
  /** On the monotonic clock. */
  readonly at: Milliseconds;
  /** All threads of all processes, by their numbers. */
  readonly threads: ReadonlyMap<number, ThreadTime>;
  /** Is one of the processes stopped by a signal? */
  readonly stopped: boolean;
  /** Processors of the machine. */
  readonly cores: number;
}

/** The least share of the time that counts, however little a browser gets, so that every deadline comes (arbitrary). */
const LEAST_SHARE = 1 / 10;
/** The same where it is stopped: that is not its fault, and it may stay so (arbitrary). */
const STOPPED_SHARE = 1 / 20;
/** Limits of calls are far above the time of an answer on a machine that is not busy: half of the limit is enough for a page. */
const ENOUGH = 1 / 2;
/** The longest time that a deadline can take, as a multiple of its limit. */
export const MOST_TIMES: number = ENOUGH / LEAST_SHARE;
/** The longest time between looks that counts: a look comes later if this program did not run either. */
const LONGEST_STRETCH: Milliseconds = milliseconds(500);

/**
 * The part of the time between two looks that counts for a deadline, in milliseconds: the share that the browser's threads got of the time
 * they wanted, or of all processors, whichever is more. So a page that makes its own browser wait for itself gains nothing.
 */
export function timeGiven(before: ProcessorLook, now: ProcessorLook): Milliseconds {
  const elapsed = Math.min(LONGEST_STRETCH, Math.max(0, now.at - before.at));
  if (now.stopped) return milliseconds(elapsed * STOPPED_SHARE);
  const { ran, waited } = between(before.threads, now.threads);
  const ofWanted = waited <= 0 ? 1 : ran / (ran + waited);
  const ofAll = elapsed === 0 ? 1 : ran / (elapsed * now.cores);
  return milliseconds(elapsed * Math.min(1, Math.max(LEAST_SHARE, ofWanted, ofAll)));
}

/** A new thread counts with all of its time; the time of a thread that has ended since is not known. */
function between(before: ProcessorLook['threads'], now: ProcessorLook['threads']): ThreadTime {
  let [ran, waited] = [0, 0];
  for (const [thread, time] of now) {
    const was = before.get(thread);
    ran += Math.max(0, time.ran - (was?.ran ?? 0));
    waited += Math.max(0, time.waited - (was?.waited ?? 0));
  }
  return { ran, waited };
}

/**
 * The time that a page has had of its limit: real time, but no more than twice the given time. On a machine that is not busy that is real
 * time; on a busy one a limit takes up to {@link MOST_TIMES} as long.
 */
export function timeHad({ real, given }: { readonly real: number; readonly given: number }): Milliseconds {
  return milliseconds(Math.min(real, given / ENOUGH));
}
