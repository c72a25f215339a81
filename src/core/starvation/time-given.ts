/**
 * How much of a stretch of real time a browser could use. On a busy machine a browser that is well answers late: a deadline that goes by
 * real time alone takes it for one that hangs. What hangs computes, or rests though a processor is free; what is starved waits for one.
 */
import { milliseconds, type Milliseconds } from '../../base/units.ts';

/** Of a thread so far, in milliseconds (Linux, Documentation/scheduler/sched-stats.rst: schedstat). */
export interface ThreadTime {
  /** On a processor. */
  readonly ran: number;
  /** Ready to run, and on none. */
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

/** However little a browser gets, this much of the time counts, so that every deadline comes (arbitrary). */
const LEAST_SHARE = 1 / 10;
/** The same where it is stopped: nobody can blame it, and it may stay so (arbitrary). */
const STOPPED_SHARE = 1 / 20;
/** Limits of calls are far above what an answer takes on a machine that is not busy: given half of that, a page has had enough. */
const ENOUGH = 1 / 2;
/** The longest that a deadline can take, by its limit. */
export const MOST_TIMES: number = ENOUGH / LEAST_SHARE;
/** A look that comes later than this, because this program did not run either, counts no more. */
const LONGEST_STRETCH: Milliseconds = milliseconds(500);

/**
 * The part of the time between two looks that counts for a deadline, in milliseconds: the share of what its threads wanted, or what they
 * got in sum of all processors, whichever is more. So a page that makes its own browser wait for itself gains nothing.
 */
export function timeGiven(before: ProcessorLook, now: ProcessorLook): Milliseconds {
  const elapsed = Math.min(LONGEST_STRETCH, Math.max(0, now.at - before.at));
  if (now.stopped) return milliseconds(elapsed * STOPPED_SHARE);
  const { ran, waited } = between(before.threads, now.threads);
  const ofWanted = waited <= 0 ? 1 : ran / (ran + waited);
  const ofAll = elapsed === 0 ? 1 : ran / (elapsed * now.cores);
  return milliseconds(elapsed * Math.min(1, Math.max(LEAST_SHARE, ofWanted, ofAll)));
}

/** A thread that is new has done all of it meanwhile; what one did that has ended since is not known. */
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
 * The time that a page has had of its limit: real time, but no more than twice what was given. On a machine that is not busy that is real
 * time; on a busy one a limit takes up to {@link MOST_TIMES} as long.
 */
export function timeHad({ real, given }: { readonly real: number; readonly given: number }): Milliseconds {
  return milliseconds(Math.min(real, given / ENOUGH));
}
