/** Samples the memory of a browser's processes, from outside: proportional shares, which count shared memory once. */
import { readFileSync } from 'node:fs';
import { processTree, processUse } from '../../src/base/process/process-memory.ts';

const EVERY = 50;
/** Samples between two looks at the process tree: a new process is small at first. */
const TREE_EVERY = 5;
/** More than what the counters leave out: files of the program and its libraries, which the processes have in common. */
const UNCOUNTED = 256 * 2 ** 20;

export interface TreePeak extends Disposable {
  /** Highest sample, in bytes. */
  readonly peak: () => number;
  /** The peak of this process itself. */
  readonly own: () => number;
}

/**
 * Samples until it is disposed. To read a share the kernel walks all pages of a process and locks its memory meanwhile: twenty times a
 * second that takes most of a processor, and slows the measured processes. So shares are read only when the free counters exceed
 * the peak, and come near the limit that the peak is held against.
 * @param limit a peak that is surely below it counts as 0; null: the peak is not asked for. SHOW_PEAKS shows all peaks
 */
export function samplePeak(root: () => number | null, limit: number | null): TreePeak {
  const least = process.env['SHOW_PEAKS'] === undefined ? (limit ?? Number.POSITIVE_INFINITY) - UNCOUNTED : 0;
  let peak = 0;
  let own = 0;
  let tree: readonly number[] = [];
  let samples = 0;
  /** Shares minus counters at the last reading of both: files, and memory counted twice. */
  let beside = 0;
  const timer = setInterval(() => {
    own = Math.max(own, process.memoryUsage.rss());
    const pid = root();
    if (pid === null || least === Number.POSITIVE_INFINITY) return;
    if (samples % TREE_EVERY === 0 || tree[0] !== pid) tree = processTree(pid, () => false);
    samples += 1;
    const counted = tree.reduce((sum, each) => sum + countersOf(each), 0);
    if (counted < least || counted + beside <= peak) return;
    const shared = tree.reduce((sum, each) => sum + shareOf(each), 0);
    beside = shared - counted;
    peak = Math.max(peak, shared);
  }, EVERY);
  return { peak: () => peak, own: () => own, [Symbol.dispose]: () => clearInterval(timer) };
}

function countersOf(pid: number): number {
  const use = processUse(pid);
  return use === null ? 0 : use.own + use.shared;
}

/** The share of a process; the counters if the share is not readable. */
function shareOf(pid: number): number {
  const share = /^Pss:\s*(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1];
  if (share !== undefined) return Number(share) * 1024;
  return countersOf(pid);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The peak memory of a process's control group, by the kernel's own account: samples of single processes, taken one after the
 * other, sum up to too much while one of them dies and another grows. Null if the process is in no group of ours.
 */
export function groupPeak(pid: number | null): number | null {
  const groups = pid === null ? '' : textOf(`/proc/${pid}/cgroup`);
  const path = /^\d+:(?:memory)?:(.*\/orbweaver-[^/]+)$/m.exec(groups)?.[1];
  if (path === undefined) return null;
  const files = [`/sys/fs/cgroup/memory${path}/memory.max_usage_in_bytes`, `/sys/fs/cgroup${path}/memory.peak`];
  const found = files.map((file) => textOf(file).trim()).find((text) => text !== '');
  return found === undefined ? null : Number(found);
}
