import type { Browser } from '../../browsers/protocol/browser.ts';
import { readMachineGrant } from '../base/process/machine-grant.ts';
import { processTree } from '../base/process/process-memory.ts';
import { knowsThreadTimes, threadTimes } from '../base/process/process-threads.ts';
import type { ProcessorLook } from '../core/starvation/time-given.ts';

/** Looks at the processes of a browser; null where it is not ours, or the system does not say what its threads get. */
export function processorLookAt({
  pid,
  memory,
}: Pick<Browser, 'pid' | 'memory'>): (() => Omit<ProcessorLook, 'at'>) | null {
  if (pid === null || !knowsThreadTimes()) return null;
  const { cores } = readMachineGrant();
  return () => {
    const known = memory?.processes() ?? [];
    return { ...threadTimes(known.length > 0 ? known : processTree(pid, () => false)), cores };
  };
}
