/**
 * Dispatcher and visits of a crawl together: the dispatcher leases visits from the frontier, and BullMQ carries them to their makers (make-visit.ts),
 * in this process or in a worker.
 */
import type { HostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { Dispatcher, type DispatchEnd, type DispatcherOptions } from './dispatcher.ts';
import { OWN_CREW } from './visits-under-way.ts';
import { createVisitMaker, type VisitMakerOptions } from './make-visit.ts';
import type { WorkQueue } from './work-queue.ts';

interface VisitLoopOptions
  extends
    Omit<DispatcherOptions, 'enqueue' | 'crews' | 'egressOf' | 'hasLeft' | 'beforeFinished'>,
    Omit<VisitMakerOptions, 'frontier'> {
  /** Most concurrent visits in this process: pages that only wait for answers use no slot. */
  readonly slots: () => number;
  /** Egress address of this process, empty where it is not reported; left out where politeness counts for all processes together. */
  readonly egressAddress?: string | null;
  /** Opens BullMQ, which delivers visits to the function. */
  readonly openQueue: (visit: (visit: Visit) => Promise<void>) => Promise<WorkQueue>;
  /** Other processes that make visits; left out for none. */
  readonly workers?: RemoteWorkers;
}

/** The workers of a crawl, as the dispatcher sees them. */
export interface RemoteWorkers extends Pick<DispatcherOptions, 'hasLeft' | 'beforeFinished'> {
  /** Slots of the living workers. */
  slots(): ReadonlyMap<string, number>;
  /** Egress address of a worker; empty where it reports none. */
  egressOf(worker: string): string;
  /** Sends visits to a worker. */
  send(worker: string, visits: readonly Visit[]): Promise<void>;
}

export interface VisitLoop {
  /**
   * Leases and visits until the end; all visits have ended then.
   * @throws the reason of `atOnce`; any error of the frontier or the work queue
   */
  run(): Promise<DispatchEnd>;
  /** Makes one visit, for any caller. Never rejects: an error is logged, and the lease expires or is given back. */
  visit(visit: Visit): Promise<void>;
  /** Reports visits that workers have finished. */
  finished(tokens: readonly number[]): Promise<void>;
  /** Must be called when something may be due sooner than the frontier said last, or slots were added. */
  notify(): void;
  /** Leases nothing more. */
  drain(): void;
  readonly visiting: number;
  /** The hosts whose visits are under way. */
  visitingHosts(): readonly HostKey[];
  /** Closes the work queue. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens the visit loop and its work queue. */
export async function openVisitLoop(options: VisitLoopOptions): Promise<VisitLoop> {
  const { workers, slots, egressAddress: own = null } = options;
  const maker = createVisitMaker(options);
  const dispatcher = new Dispatcher({
    ...options,
    crews: () => new Map([...(workers?.slots() ?? []), [OWN_CREW, slots()]]),
    egressOf: own === null ? null : (crew) => (crew === OWN_CREW ? own : (workers?.egressOf(crew) ?? '')),
    enqueue: async (crew, visits) => (crew === OWN_CREW ? queue.add(visits) : workers?.send(crew, visits)),
    hasLeft: (crew) => workers?.hasLeft(crew) ?? false,
    beforeFinished: async () => workers?.beforeFinished(),
  });
  const queue = await options.openQueue(async (visit) => {
    dispatcher.started(visit.token);
    await maker.make(visit);
    await dispatcher.finished(visit.token);
  });

  return {
    run: () => dispatcher.run(options.atOnce),
    visit: (visit) => maker.make(visit),
    finished: (tokens) => dispatcher.finishedElsewhere(tokens),
    notify: () => dispatcher.notify(),
    drain: () => dispatcher.drain(),
    get visiting() {
      return dispatcher.visiting;
    },
    visitingHosts: () => dispatcher.visitingHosts(),
    [Symbol.asyncDispose]: async () => queue[Symbol.asyncDispose](),
  };
}
