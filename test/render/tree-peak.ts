/** Samples what a browser's processes take, from outside: proportional shares, so that what is shared counts once. */
import { readFileSync } from 'node:fs';
import { processTree, processUse } from '../../src/base/process/process-memory.ts';

const EVERY = 50;
/** Samples for which one look at the tree holds: a process that has just begun is small. */
const TREE_EVERY = 5;

export interface TreePeak extends Disposable {
  /** Bytes, the most that was seen. */
  readonly peak: () => number;
  /** The most that this process itself had. */
  readonly own: () => number;
}

/**
 * Samples until it is disposed. To read a share the kernel walks all pages of a process and holds its memory meanwhile: twenty times a second
 * that takes most of a processor, and slows down what is measured. So shares are read only where counters that cost nothing say that there
 * is more than ever.
 */
export function samplePeak(root: () => number | null): TreePeak {
  let peak = 0;
  let own = 0;
  let tree: readonly number[] = [];
  let samples = 0;
  /** What shares were more, or less, than counters when both were read last: files, and what is counted twice. */
  let beside = 0;
  const timer = setInterval(() => {
    own = Math.max(own, process.memoryUsage.rss());
    const pid = root();
    if (pid === null) return;
    if (samples % TREE_EVERY === 0 || tree[0] !== pid) tree = processTree(pid, () => false);
    samples += 1;
    const counted = tree.reduce((sum, each) => sum + countersOf(each), 0);
    if (counted + beside <= peak) return;
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

/** Where the share may not be read, what the counters say. */
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
 * The most that the control group of a process ever took, by the kernel's own account: samples of single processes, taken one after
 * the other, add up to more than there was while one of them dies and another grows. Null where it is in no group of ours.
 */
export function groupPeak(pid: number | null): number | null {
  const groups = pid === null ? '' : textOf(`/proc/${pid}/cgroup`);
  const path = /^\d+:(?:memory)?:(.*\/orbweaver-[^/]+)$/m.exec(groups)?.[1];
  if (path === undefined) return null;
  const files = [`/sys/fs/cgroup/memory${path}/memory.max_usage_in_bytes`, `/sys/fs/cgroup${path}/memory.peak`];
  const found = files.map((file) => textOf(file).trim()).find((text) => text !== '');
  return found === undefined ? null : Number(found);
}
