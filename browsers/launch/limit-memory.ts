/** Makes the kernel limit the memory of a browser's processes, by the best means of this machine. */
import { access, chmod, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { mebibytes, type Bytes } from '../../src/base/units.ts';
import { openMemoryCgroup } from './memory-cgroup.ts';
import type { ProgramStart } from './start-program.ts';

export interface MemoryHold {
  /** Limit for all processes of the browser. */
  readonly tree: Bytes;
  /** Limit for one page. */
  readonly page: Bytes;
  /** `auto`: all processes together where a control group can be made, else each by itself. `process`: each by itself. */
  readonly by?: 'auto' | 'process';
}

const LIMIT_MEMORY = fileURLToPath(new URL('./limit-memory.sh', import.meta.url));

/** Memory that an empty page may write to and mostly does not: 320 to 610 MiB were measured, stacks of threads for the most part. */
const UNUSED: Bytes = mebibytes(768);
/** Stack of one thread; a thread pool has one thread per core. */
const STACK: Bytes = mebibytes(8);

/** The same start with the limit. Systems other than Linux have no such limit; there the start is unchanged. */
export async function underMemoryLimit(start: ProgramStart, hold: MemoryHold | null): Promise<ProgramStart> {
  if (hold === null || process.platform !== 'linux') return start;
  // npm does not promise to keep the executable bit of a packed file
  await access(LIMIT_MEMORY, constants.X_OK).catch(() => chmod(LIMIT_MEMORY, 0o755));
  const group = hold.by === 'process' ? null : await openMemoryCgroup(hold.tree);
  const data = hold.page + UNUSED + STACK * availableParallelism();
  return {
    ...start,
    path: LIMIT_MEMORY,
    group,
    environment: {
      ...start.environment,
      ORBWEAVER_LIMITED_PROGRAM: start.path,
      ORBWEAVER_MEMORY_GROUP: group?.entrance ?? '',
      ORBWEAVER_DATA_KIB: String(Math.floor(data / 1024)),
    },
  };
}
