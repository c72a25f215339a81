/**
 * A control group of Linux (version 2, or the memory controller of version 1) that holds the processes of one browser
 * together: the kernel ends one of them, the largest page as a rule, before all of them pass the limit. The group is made only
 * below this process's own group, or beside it where that has no limit: nothing escapes a limit that somebody set.
 */
import { readFileSync, rmdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { groupFolder, type GroupTexts, type GroupVersion } from '../../src/base/process/control-group.ts';
import { processIdentity, isAlive } from '../../src/base/process/process-identity.ts';
import { bytes, mebibytes, type Bytes } from '../../src/base/units.ts';
import type { MemoryAccount } from '../protocol/browser.ts';

export interface MemoryCgroup extends MemoryAccount {
  /** A process that writes its id to this file joins the group, and so do the processes that it starts. */
  readonly entrance: string;
  /** Resolves when it is gone, or could not be removed: the next start tries again. */
  remove(): Promise<void>;
  /** Removes it at once, for an abrupt exit of this process. */
  removeNow(): void;
}

interface Place {
  readonly version: GroupVersion;
  readonly folder: string;
}

const NAME = /^orbweaver-(\d+)-(\d*)-\d+$/;
/** Attempts to remove a group, and ms between them: its ended processes leave one after the other. */
const REMOVALS = 20;
const REMOVAL_PAUSE = 50;
/** Memory for the program's own files, which the kernel can reclaim. */
const PROGRAM_FILES: Bytes = mebibytes(256);

let made = 0;

/**
 * Makes a group with a limit of memory, swap included. Removes groups that ended processes have left behind.
 * @returns null where the kernel has none, or none that this process may use
 */
export async function openMemoryCgroup(limit: Bytes, sources?: GroupTexts): Promise<MemoryCgroup | null> {
  if (process.platform !== 'linux') return null;
  const place = await placeFor(sources ?? (await ownSources()));
  if (place === null) return null;
  await removeLeft(place.folder);
  const { pid, started } = await processIdentity(process.pid);
  const folder = join(place.folder, `orbweaver-${pid}-${started}-${++made}`);
  try {
    await mkdir(folder);
  } catch {
    return null; // this process may not divide the group
  }
  const group = new Cgroup(place.version, folder);
  try {
    await group.limit(limit);
    return group;
  } catch {
    await group.remove(); // without the controller there is no such file
    return null;
  }
}

class Cgroup implements MemoryCgroup {
  readonly #version: GroupVersion;
  readonly #folder: string;
  readonly entrance: string;

  constructor(version: GroupVersion, folder: string) {
    this.#version = version;
    this.#folder = folder;
    this.entrance = join(folder, 'cgroup.procs');
  }

  async limit(limit: Bytes): Promise<void> {
    const [memory, swap, swapLimit] =
      this.#version === 2
        ? ['memory.max', 'memory.swap.max', 0]
        : ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', limit];
    await writeFile(join(this.#folder, memory), String(limit), { flag: 'r+' });
    // a kernel that keeps no account of swap has no such file
    await writeFile(join(this.#folder, swap), String(swapLimit), { flag: 'r+' }).catch(() => {});
  }

  used(): Bytes | null {
    const stat = this.#read('memory.stat');
    if (stat === null || this.processes().length === 0) return null;
    const field = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
    const [own, shared, mapped] =
      this.#version === 2
        ? [field('anon'), field('shmem'), field('file_mapped')]
        : [field('total_rss'), field('total_shmem'), field('total_mapped_file')];
    return bytes(own + Math.max(shared, mapped - PROGRAM_FILES));
  }

  kills(): number {
    const text = this.#read(this.#version === 2 ? 'memory.events' : 'memory.oom_control') ?? '';
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  processes(): readonly number[] {
    return (this.#read('cgroup.procs') ?? '').split('\n').filter(Boolean).map(Number);
  }

  async remove(): Promise<void> {
    for (let turn = 0; turn < REMOVALS; turn++) {
      try {
        await rmdir(this.#folder);
        return;
      } catch {
        await wait(REMOVAL_PAUSE);
      }
    }
  }

  removeNow(): void {
    try {
      rmdirSync(this.#folder);
    } catch {
      // its processes are still on their way out
    }
  }

  /** Reads synchronously: the kernel answers such a read from memory, at once. */
  #read(name: string): string | null {
    try {
      return readFileSync(join(this.#folder, name), 'utf8');
    } catch {
      return null;
    }
  }
}

async function ownSources(): Promise<GroupTexts> {
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  return { own: await read('/proc/self/cgroup'), mounts: await read('/proc/self/mountinfo') };
}

async function placeFor(sources: GroupTexts): Promise<Place | null> {
  const first = groupFolder(sources, 'memory', 1);
  if (first !== null) return { version: 1, folder: first };
  const second = groupFolder(sources, 'memory', 2);
  const folder = second === null ? null : await dividable(second);
  return folder === null ? null : { version: 2, folder };
}

/**
 * A group below which other groups may have memory limits. In version 2 a group that has processes cannot be divided. A group
 * beside it can, which is no escape where our own group has no limit.
 */
async function dividable(own: string): Promise<string | null> {
  const holds = async (folder: string): Promise<boolean> =>
    (await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '')).split(/\s/).includes('memory');
  if (await holds(own)) return own;
  await writeFile(join(own, 'cgroup.subtree_control'), '+memory', { flag: 'r+' }).catch(() => {});
  if (await holds(own)) return own;
  const limit = await readFile(join(own, 'memory.max'), 'utf8').catch(() => '');
  return limit.trim() === 'max' && (await holds(dirname(own))) ? dirname(own) : null;
}

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, started = ''] = NAME.exec(name) ?? [];
    if (pid === undefined || (await isAlive({ pid: Number(pid), started }))) continue;
    await rmdir(join(folder, name)).catch(() => {}); // its processes are still on their way out
  }
}
