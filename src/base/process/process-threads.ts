/** Processor time of the threads of some processes, as /proc reports it. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Times so far, in milliseconds. */
interface ThreadTime {
  readonly ran: number;
  /** Time in which the thread was ready to run, and on no processor. */
  readonly waited: number;
}

interface ThreadTimes {
  readonly threads: ReadonlyMap<number, ThreadTime>;
  /** Is one of the processes stopped by a signal (proc(5), state T)? */
  readonly stopped: boolean;
}

/** Does this system say how long its threads wait for a processor? */
export function knowsThreadTimes(): boolean {
  return threadTime('/proc/self/schedstat') !== null;
}

/** Costs some 10 µs a thread; a browser has a hundred. Threads that have ended meanwhile are left out. */
export function threadTimes(pids: readonly number[]): ThreadTimes {
  const threads = new Map<number, ThreadTime>();
  let stopped = false;
  for (const pid of pids) {
    if (isStopped(pid)) stopped = true;
    for (const thread of namesIn(`/proc/${pid}/task`)) {
      const time = threadTime(`/proc/${pid}/task/${thread}/schedstat`);
      if (time !== null) threads.set(Number(thread), time);
    }
  }
  return { threads, stopped };
}

/** Two numbers of nanoseconds: on a processor, and waiting for one (Linux, Documentation/scheduler/sched-stats.rst). */
function threadTime(path: string): ThreadTime | null {
  const [, ran, waited] = /^(\d+) (\d+) \d+/.exec(textOf(path)) ?? [];
  return ran === undefined || waited === undefined ? null : { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}

/** The state is the field behind the name, which may hold anything. */
function isStopped(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.startsWith('T', stat.lastIndexOf(')') + 2);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
