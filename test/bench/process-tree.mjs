// CPU and memory of a process and its descendants, read from /proc while they live (Linux only).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Linux counts CPU time for user space in hundredths of a second (USER_HZ). */
const TICKS_PER_SECOND = 100;
const PAGE_KB = 4;

/** Parent, own ticks and ticks of reaped children, start and resident kB of a process; null if it has ended. */
function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces: fields are counted after it (proc(5): the first is field 3).
    const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (number) => Number(field[number - 3]);
    return { parent: at(4), ticks: at(14) + at(15), reaped: at(16) + at(17), start: at(22), rss: at(24) * PAGE_KB };
  } catch {
    return null;
  }
}

/**
 * CPU seconds of all children that this process has waited for, and of those that they have waited for: RUSAGE_CHILDREN, as the
 * kernel counts it. No sum includes processes that outlive their parent.
 */
export function reapedSeconds() {
  return (readStat('self')?.reaped ?? 0) / TICKS_PER_SECOND;
}

/** The child processes of each process, and the stat of each. */
function familyTree() {
  const children = new Map();
  const stats = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readStat(name);
    if (stat === null) continue; // the process has ended in between
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
    stats.set(Number(name), stat);
  }
  return { children, stats };
}

/** A process and all its descendants. */
export function processesBelow(root, { children } = familyTree()) {
  return [root, ...(children.get(root) ?? []).flatMap((child) => processesBelow(child, { children }))];
}

/** CPU milliseconds of a process and its descendants, reaped processes included, in ticks of 10 ms. */
export function cpuBelow(root) {
  const tree = familyTree();
  const ticksOf = (pid) => {
    const stat = tree.stats.get(pid);
    return stat === undefined ? 0 : stat.ticks + stat.reaped;
  };
  return (processesBelow(root, tree).reduce((sum, pid) => sum + ticksOf(pid), 0) * 1000) / TICKS_PER_SECOND;
}

/** The group of a process: node, browser, redis or other. */
function groupOf(pid) {
  let name;
  try {
    name = basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return null;
  }
  if (name.startsWith('node')) return 'node';
  if (/chrom|headless.shell/i.test(name)) return 'browser';
  return /^redis|^valkey/.test(name) ? 'redis' : 'other';
}

/** Proportional set size in kB: counts shared memory pages once. Costs the kernel milliseconds. */
function pssOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Watches a process and its descendants: call `sample()` as often as wanted, `result()` at the end. An ended process keeps the
 * ticks of its last sample; CPU used after that is missing.
 */
export function watchTree(root) {
  const seen = new Map(); // pid and start time (pids are reused) -> { group, ticks }
  const peak = { rss: 0, pss: 0, pssByGroup: {}, processes: 0 };

  function living() {
    const stats = new Map();
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? readStat(name) : null;
      if (stat !== null) stats.set(Number(name), stat);
    }
    const below = new Map();
    for (const [pid, stat] of stats) below.set(stat.parent, [...(below.get(stat.parent) ?? []), pid]);
    const tree = [];
    for (const queue = stats.has(root) ? [root] : []; queue.length > 0;) {
      const pid = queue.pop();
      tree.push([pid, stats.get(pid)]);
      queue.push(...(below.get(pid) ?? []));
    }
    return tree;
  }

  function memoryByGroup(tree) {
    const byGroup = {};
    for (const [pid] of tree) {
      const group = groupOf(pid) ?? 'other';
      byGroup[group] = (byGroup[group] ?? 0) + pssOf(pid);
    }
    return byGroup;
  }

  /** Reads Pss only when the resident sum reaches a new peak: reading it at every sample would slow the measured program. */
  function noteMemory(tree) {
    const rss = tree.reduce((sum, [, stat]) => sum + stat.rss, 0);
    peak.processes = Math.max(peak.processes, tree.length);
    if (rss <= peak.rss * 1.01) return;
    peak.rss = rss;
    const byGroup = memoryByGroup(tree);
    const pss = Object.values(byGroup).reduce((sum, one) => sum + one, 0);
    if (pss > peak.pss) Object.assign(peak, { pss, pssByGroup: byGroup });
  }

  return {
    sample() {
      const tree = living();
      for (const [pid, stat] of tree) {
        const key = `${pid}/${stat.start}`;
        // A child is a copy of its parent until it calls exec: read the group again each time.
        const group = groupOf(pid) ?? seen.get(key)?.group ?? 'other';
        seen.set(key, { group, ticks: stat.ticks });
      }
      noteMemory(tree);
    },
    /** Current proportional set size by group, in kB. */
    memory: () => memoryByGroup(living()),
    result() {
      const seconds = { node: 0, browser: 0, redis: 0, other: 0 };
      for (const { group, ticks } of seen.values()) seconds[group] += ticks / TICKS_PER_SECOND;
      return { seconds, peak };
    },
  };
}
