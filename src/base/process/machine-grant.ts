/** The share of its machine that this process may use: a control group may grant only some of the processors and the memory. */
import { readFileSync } from 'node:fs';
import { availableParallelism, freemem, hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import { hash64 } from '../hash.ts';
import { bytes, type Bytes } from '../units.ts';
import {
  coresOfMax,
  coresOfQuota,
  groupChain,
  machineMemory,
  memoryInUse,
  memoryOfLimit,
  memoryStall,
  type GroupController,
  type GroupTexts,
} from './control-group.ts';

interface MemoryUse {
  readonly used: Bytes;
  readonly limit: Bytes;
  /** Share of the last ten seconds in which some task waited for memory, 0 to 1; null where that is not known. */
  readonly stall: number | null;
}

export interface MachineGrant {
  /** More than 0; 0.5 is half of the time of one core. */
  readonly cores: number;
  /** Name of the processors: processes that have the same one compete for the same cores. */
  readonly processors: string;
  /** Asks anew how much memory is in use: of the group that has the least left, or of the machine. */
  memory(): MemoryUse;
}

/** Reads a file; empty where there is none. */
type ReadText = (path: string) => string;

/** @param read left out: of this machine; @param cores that the process may run on */
export function readMachineGrant(read: ReadText = textOf, cores: number = availableParallelism()): MachineGrant {
  const texts = { own: read('/proc/self/cgroup'), mounts: read('/proc/self/mountinfo') };
  const granted = Math.min(cores, ...groupLimits(texts, read));
  const processors = processorsName(granted < cores ? texts.own : null, read);
  return { cores: granted, processors, memory: memoryMeter(texts, read) };
}

/** @param group the control groups of the process, where they limit it: its cores are its own then; else null */
function processorsName(group: string | null, read: ReadText): string {
  // the machine is the same in all its containers, and its processes may be bound to some of its processors
  const machine = read('/proc/sys/kernel/random/boot_id').trim() || hostname();
  const bound = /^Cpus_allowed_list:(.*)$/m.exec(read('/proc/self/status'))?.[1]?.trim() ?? '';
  return hash64([machine, bound, ...(group === null ? [] : [hostname(), group])].join('\n'));
}

function* groupLimits(texts: GroupTexts, read: ReadText): Iterable<number> {
  const places: readonly (readonly [GroupController, 1 | 2])[] = [
    ['cpu', 2],
    ['cpu', 1],
  ];
  for (const [controller, version] of places) {
    for (const folder of groupChain(texts, controller, version)) {
      const limit =
        version === 2
          ? coresOfMax(read(join(folder, 'cpu.max')))
          : coresOfQuota(read(join(folder, 'cpu.cfs_quota_us')), read(join(folder, 'cpu.cfs_period_us')));
      if (limit !== null) yield limit;
    }
  }
}

/** Finds the groups that have a limit once: a later change of a limit is not seen, but the machine's own memory is. */
function memoryMeter(texts: GroupTexts, read: ReadText): () => MemoryUse {
  const limited = [
    ...groupChain(texts, 'memory', 2).map((folder) => ({
      folder,
      limit: memoryOfLimit(read(join(folder, 'memory.max'))),
      current: 'memory.current',
    })),
    ...groupChain(texts, 'memory', 1).map((folder) => ({
      folder,
      limit: memoryOfLimit(read(join(folder, 'memory.limit_in_bytes'))),
      current: 'memory.usage_in_bytes',
    })),
  ];
  return () => {
    const machine = machineMemory(read('/proc/meminfo')) ?? {
      used: bytes(totalmem() - freemem()),
      limit: bytes(totalmem()),
    };
    let least = { ...machine, stall: memoryStall(read('/proc/pressure/memory')) };
    for (const { folder, limit, current } of limited) {
      if (limit === null || limit >= machine.limit) continue;
      const used = memoryInUse(read(join(folder, current)), read(join(folder, 'memory.stat')));
      if (limit - used > least.limit - least.used) continue;
      least = { used, limit, stall: memoryStall(read(join(folder, 'memory.pressure'))) ?? least.stall };
    }
    return least;
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
