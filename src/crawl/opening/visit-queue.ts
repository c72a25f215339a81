/** Opens the queue that brings a process the visits that it is to make, with room for those whose pages only wait. */
import type { Log } from '../../base/log.ts';
import { openWorkQueue, type WorkQueue } from '../../dispatch/work-queue.ts';
import type { Visit } from '../../model/visit.ts';
import type { Capacity } from '../capacity/capacity.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import type { KeySpace } from '../../redis/key-space.ts';

interface VisitQueueParts {
  readonly client: RedisConnection['client'];
  readonly keys: KeySpace;
  /** The worker whose queue it is; left out: the controller's queue. */
  readonly worker?: string;
  readonly capacity: Capacity;
  readonly log: Log;
}

/** @returns opens the queue; visits come back through the function that it is given */
export function visitQueue({
  client,
  keys,
  worker,
  capacity,
  log,
}: VisitQueueParts): (visit: (visit: Visit) => Promise<void>) => Promise<WorkQueue> {
  return (visit) =>
    openWorkQueue({
      client,
      prefix: keys.key('q', 'bull'),
      ...(worker === undefined ? {} : { worker }),
      slots: capacity.most,
      process: capacity.counting(visit),
      log,
    });
}
