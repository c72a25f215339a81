import { readFile, readlink } from 'node:fs/promises';

/** A process as distinct from a later one with the same number: its number and when it was started. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, as Linux reports them; empty where they cannot be known. */
  readonly started: string;
}

export async function processIdentity(pid: number): Promise<ProcessIdentity> {
  return { pid, started: await startOf(pid) };
}

/** Names where numbers of processes mean the same: one boot of a machine, and in it one container. Empty where that cannot be known. */
export async function processPlace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const container = await readlink('/proc/self/ns/pid').catch(() => '');
  return boot === '' || container === '' ? '' : `${boot.trim()} ${container}`;
}

/** Any process with the number counts as this one where the start cannot be known. */
export async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isErrorWithCode(error, 'EPERM')) return false;
  }
  if (await isZombie(pid)) return false;
  const now = await startOf(pid);
  return started === '' || now === '' || now === started;
}

/** The working folder of a process; null where it cannot be known. */
export async function processFolder(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}

export function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function statOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses and may hold anything; the third follows the last parenthesis.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Field 22 of /proc/<pid>/stat (proc(5)). */
async function startOf(pid: number): Promise<string> {
  return (await statOf(pid))[19] ?? '';
}

/** Ended, but its parent has not collected its exit status yet. */
async function isZombie(pid: number): Promise<boolean> {
  return (await statOf(pid))[0] === 'Z';
}
