/** Samples what a browser's processes take, from outside: proportional shares, so that what is shared counts once. */
import { readFileSync, readdirSync } from 'node:fs';

const EVERY = 50;

export interface TreePeak extends Disposable {
  /** Bytes, the most that was seen. */
  readonly peak: () => number;
  /** The most that this process itself had. */
  readonly own: () => number;
}

/** Samples until it is disposed. */
export function samplePeak(root: () => number | null): TreePeak {
  let peak = 0;
  let own = 0;
  const timer = setInterval(() => {
    own = Math.max(own, process.memoryUsage.rss());
    const pid = root();
    if (pid !== null)
      peak = Math.max(
        peak,
        below(pid).reduce((sum, process) => sum + shareOf(process), 0),
      );
  }, EVERY);
  return { peak: () => peak, own: () => own, [Symbol.dispose]: () => clearInterval(timer) };
}

function below(root: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
      .map((pid) => [pid, Number(/^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)]),
  );
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

/** Where the share may not be read, what is its own and what is shared in memory. */
function shareOf(pid: number): number {
  const share = /^Pss:\s*(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1];
  if (share !== undefined) return Number(share) * 1024;
  const status = textOf(`/proc/${pid}/status`);
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return (field('RssAnon') + field('RssShmem')) * 1024;
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
