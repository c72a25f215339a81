/** Processes, read from /proc (Linux): a process and all its descendants, and their memory, ports and files. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process; pids are reused, pid and start time together are not. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly name: string;
}

/** Bytes. */
export interface Held {
  /** Resident anonymous and shared memory. */
  readonly own: number;
  /** Peak of resident memory. */
  readonly most: number;
}

/** A process and all its descendants; empty if it has ended. Zombies are left out. */
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

/** @returns null if there is no such process, or only a zombie */
export function processOf(pid: number): Process | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // the name in parentheses may hold spaces: fields are counted after it (proc(5): the first is the third field)
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

/** Proportional set size in bytes: counts shared memory once over all processes. Costs the kernel milliseconds. */
export function proportionalSize(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024;
}

/** IPv4 ports on which the process listens. */
export function listeningPorts(pid: number): readonly number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((file) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${file}`))?.[1]),
  );
  // proc(5): the local address is the second field, the state the fourth (0A: listening), the inode the tenth
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

/** The number of open files and sockets; null if the process has ended. */
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
    return null; // it has ended in between
  }
}
