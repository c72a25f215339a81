/** Processes as /proc tells of them (Linux): a process and all below it, and what they hold. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process; its number may come again, its number and its start may not. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly name: string;
}

/** Bytes. */
export interface Held {
  /** Anonymous and shared memory that is resident. */
  readonly own: number;
  /** The most that was ever resident. */
  readonly most: number;
}

/** A process and all below it; empty where it has ended. Those that have ended and were not waited for do not count. */
export function treeOf(root: number): readonly Process[] {
  const all = new Map<number, Process[]>();
  let first: Process | null = null;
  for (const entry of readdirSync('/proc')) {
    const found = /^\d+$/.test(entry) ? processOf(Number(entry)) : null;
    if (found === null) continue;
    if (found.pid === root) first = found;
    const beside = all.get(found.parent);
    if (beside === undefined) all.set(found.parent, [found]);
    else beside.push(found);
  }
  const tree = first === null ? [] : [first];
  for (const each of tree) tree.push(...(all.get(each.pid) ?? []));
  return tree;
}

/** @returns null where there is no such process, or only what is left of one that has ended */
export function processOf(pid: number): Process | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // the name in parentheses may hold spaces: fields are counted from behind it (proc(5), the third is the first there)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return { pid, parent: Number(fields[1]), start: fields[19] ?? '', name };
}

/** Is it still the same process? */
export function isRunning({ pid, start }: Process): boolean {
  return processOf(pid)?.start === start;
}

export function heldBy(pid: number): Held {
  const status = read(`/proc/${pid}/status`) ?? '';
  const kibibytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { own: (kibibytes('RssAnon') + kibibytes('RssShmem')) * 1024, most: kibibytes('VmHWM') * 1024 };
}

/** Proportional set size in bytes: what processes share is counted once over all. Costs the kernel milliseconds. */
export function proportionalSize(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024;
}

/** Ports of IPv4 on which it listens. */
export function listeningPorts(pid: number): readonly number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((file) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${file}`))?.[1]),
  );
  // proc(5): the local address is the second field, the state the fourth (0A: it listens), the inode the tenth
  const lines = (read('/proc/net/tcp') ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return lines
    .filter((fields) => fields[3] === '0A' && sockets.has(fields[9]))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** How many files and sockets it has open; null where it has ended. */
export function openFiles(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // ended in between
  }
}
