/** The processes below one, and the memory that each takes, as /proc reports it: cheap enough to be read four times a second. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { bytes, kibibytes, mebibytes, type Bytes } from '../units.ts';

interface ProcessUse {
  readonly pid: number;
  /** Memory that no other process shares. */
  readonly own: Bytes;
  /** Memory that is shared, and files beyond those of a program: where /dev/shm is small a browser shares through files. */
  readonly shared: Bytes;
  /** Ticks of the processor so far. */
  readonly ticks: number;
}

/** Files of the program and its libraries, which the processes of a browser have in common; larger maps are shared memory. */
const PROGRAM_FILES: Bytes = mebibytes(192);

/**
 * A process and all its descendants.
 * @param isLeaf is this one known to start no others? Its children are not looked for
 */
export function processTree(root: number, isLeaf: (pid: number) => boolean): readonly number[] {
  const found = [root];
  for (const pid of found) if (!isLeaf(pid)) found.push(...childrenOf(pid));
  return found;
}

/** Reads the children of each thread, for each may start processes. */
export function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Null where the process has ended. */
export function processUse(pid: number): ProcessUse | null {
  const status = textOf(`/proc/${pid}/status`);
  const field = (name: string): Bytes =>
    kibibytes(Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0));
  if (status === '') return null;
  const shared = field('RssShmem') + Math.max(0, field('RssFile') - PROGRAM_FILES);
  return { pid, own: field('RssAnon'), shared: bytes(shared), ticks: processTicks(pid) ?? 0 };
}

/** Ticks of the processor so far (fields 14 and 15 of /proc/pid/stat, proc(5)); null where the process has ended. */
export function processTicks(pid: number): number | null {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === '') return null;
  // the second field is a name and may hold anything
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/**
 * The arguments of a process; empty where it has ended. Never read in the main thread: where memory has run out, reading waits for
 * the process.
 */
export async function argumentsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
