/**
 * Reads the Linux control groups of a process from the texts of their files: their places, and how much processor and memory they grant.
 * A group is never granted more than the groups around it, so all of them are read, up to the mount point (cgroups(7)).
 */
import { dirname, join } from 'node:path';
import { bytes, type Bytes } from '../units.ts';

/** Files that describe the groups of a process. */
export interface GroupTexts {
  /** `/proc/self/cgroup` */
  readonly own: string;
  /** `/proc/self/mountinfo` */
  readonly mounts: string;
}

export type GroupVersion = 1 | 2;
export type GroupController = 'cpu' | 'memory';

interface GroupMount {
  /** Mount point of the hierarchy in the file system. */
  readonly point: string;
  /** The own group below it; null where that is out of sight. */
  readonly folder: string | null;
}

/** Version 1 gives the largest number of pages for "no limit"; half of it is more than any machine has. */
const UNLIMITED = 2 ** 62;

/** Folder of the own group in the file system; null where it is not mounted, or out of sight. */
export function groupFolder(texts: GroupTexts, controller: GroupController, version: GroupVersion): string | null {
  return mountOf(texts, controller, version)?.folder ?? null;
}

/**
 * The own group and all groups around it, the innermost first. Where the own one is out of sight, as in some containers, the mount
 * point stands for it: it is the container's. Empty where nothing is mounted.
 */
export function groupChain(texts: GroupTexts, controller: GroupController, version: GroupVersion): readonly string[] {
  const mount = mountOf(texts, controller, version);
  if (mount === null) return [];
  const chain = [mount.folder ?? mount.point];
  for (let folder = chain[0] ?? ''; folder !== mount.point && folder.startsWith(`${mount.point}/`);) {
    folder = dirname(folder);
    chain.push(folder);
  }
  return chain;
}

function mountOf({ own, mounts }: GroupTexts, controller: GroupController, version: GroupVersion): GroupMount | null {
  const group = own
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((match) => (version === 2 ? match?.[1] === '' : match?.[1]?.split(',').includes(controller)))?.[2];
  if (group === undefined) return null;
  let outOfSight: GroupMount | null = null;
  for (const line of mounts.split('\n')) {
    // 36 35 0:30 /root /mount/point options - type source options (proc(5))
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    const fits = version === 2 ? type === 'cgroup2' : type === 'cgroup' && options.split(',').includes(controller);
    if (!fits) continue;
    outOfSight ??= { point, folder: null };
    if (group.startsWith('/..')) continue;
    if (group === root || root === '/') return { point, folder: join(point, root === '/' ? group : '') };
    if (group.startsWith(`${root}/`)) return { point, folder: join(point, group.slice(root.length)) };
  }
  return outOfSight;
}

/** `cpu.max`: `150000 100000`, or `max 100000`. @returns cores; null where there is no limit */
export function coresOfMax(text: string): number | null {
  const [quota, period = '100000'] = text.trim().split(/\s+/);
  return coresOf(Number(quota), Number(period));
}

/** `cpu.cfs_quota_us` and `cpu.cfs_period_us`; the quota is -1 where there is none. */
export function coresOfQuota(quota: string, period: string): number | null {
  return coresOf(Number(quota.trim() === '' ? -1 : quota), Number(period));
}

function coresOf(quota: number, period: number): number | null {
  return quota > 0 && period > 0 && Number.isFinite(quota / period) ? quota / period : null;
}

/** `memory.max`, `memory.limit_in_bytes`. @returns null where there is no limit */
export function memoryOfLimit(text: string): Bytes | null {
  const value = Number(text.trim());
  return text.trim() !== '' && value > 0 && value < UNLIMITED ? bytes(value) : null;
}

/** Memory of a group, less files that can be reclaimed at once. @param stat of `memory.stat` */
export function memoryInUse(current: string, stat: string): Bytes {
  // version 1 counts the groups below in fields of their own
  const inactive = /^total_inactive_file (\d+)$/m.exec(stat)?.[1] ?? /^inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0;
  return bytes(Math.max(0, Number(current.trim()) - Number(inactive)));
}

/**
 * Pressure Stall Information: the share of the last ten seconds in which some task waited for memory.
 * @param text of `memory.pressure` or `/proc/pressure/memory` @returns 0 to 1; null where the kernel keeps no account
 */
export function memoryStall(text: string): number | null {
  const share = /^some avg10=(\d+(?:\.\d+)?)/m.exec(text)?.[1];
  return share === undefined ? null : Number(share) / 100;
}

/** Memory of the whole machine, by `/proc/meminfo`. */
export function machineMemory(meminfo: string): { readonly used: Bytes; readonly limit: Bytes } | null {
  const field = (name: string): number | null => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  };
  const [total, available] = [field('MemTotal'), field('MemAvailable')];
  return total === null || available === null ? null : { used: bytes(total - available), limit: bytes(total) };
}
