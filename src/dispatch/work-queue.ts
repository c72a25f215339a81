/**
 * BullMQ between the dispatcher and the visits: hands each lease to the process that makes its visit, here or on another machine. Each process has
 * its own queue, so that none makes a visit meant for another, not even if the other is silent for a while. A queue never
 * holds more than the free slots, never retries (the frontier does), and is not the record of existing URLs: the frontier's fence rejects a job
 * that is delivered twice or too late. Visits leased together are one job, because a job costs as much as
 * a lease: the job lasts until its last visit ends, and each visit frees its slot at its own end.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import { seldom } from '../base/seldom.ts';
import { epochMs, seconds } from '../base/units.ts';
import { LINK_KINDS } from '../model/link-kinds.ts';
import { LINK_CONFIDENCES } from '../model/link.ts';
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { storedHostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import type { RedisClient } from '../redis/client.ts';

/**
 * Duration of a lock, which the event loop renews at half of it; a worker that is silent longer has died (design/reliability,
 * "BullMQ").
 */
const LOCK = seconds(10);
const STALLED_CHECK = seconds(5);
/** A second kill of a worker must not fail the job: the frontier decides on the number of tries. */
const STALLED_TIMES = 3;
/** Real time for Redis to note the end of a job, and to forget a worker's queue, when the queue closes. */
const NOTING = seconds(5);
const QUEUE_NAME = 'visits';
/** Shortest interval between two errors that are logged: while Redis is away, each attempt to reach it is one. */
const ERROR_PAUSE = seconds(10);

interface WorkQueueOptions {
  readonly client: RedisClient;
  /** Prefix of all keys, with the crawl's hash tag. */
  readonly prefix: string;
  /** The worker that owns the queue; left out for the controller. */
  readonly worker?: string;
  /** Most concurrent visits in this process. */
  readonly slots: number;
  /** Makes a visit. Never rejects, whatever the outcome of the visit. */
  readonly process: (visit: Visit) => Promise<void>;
  readonly log: Log;
}

export interface WorkQueue extends AsyncDisposable {
  /** Adds visits; the caller keeps their number within the free slots. */
  add(visits: readonly Visit[]): Promise<void>;
}

const text = z.string();
const whole = z.int().min(0);
const visitSchema: z.ZodType<Visit> = z.strictObject({
  url: text.transform(storedCanonicalUrl),
  host: text.transform(storedHostKey),
  depth: whole,
  redirects: whole,
  hops: whole,
  referrer: text.transform(storedCanonicalUrl).nullable(),
  kind: z.enum([...LINK_KINDS, 'seed', 'probe']),
  confidence: z.enum(LINK_CONFIDENCES),
  attempt: whole,
  firstOfHost: z.boolean(),
  egress: z.string().max(45).exactOptional(),
  deaths: whole,
  again: z.literal(true).exactOptional(),
  recorded: z.array(whole).exactOptional(),
  token: whole,
  leasedAt: z.number().transform(epochMs),
  leasedUntil: z.number().transform(epochMs),
});

const jobSchema = z.array(visitSchema);

type ReadJob =
  | { readonly kind: 'visits'; readonly visits: readonly Visit[] }
  | { readonly kind: 'other'; readonly problem: string };

/** Reads the visits of a job. The parsers of URLs and hosts throw for invalid text, and zod passes that on. */
function readVisits(data: unknown): ReadJob {
  try {
    return { kind: 'visits', visits: jobSchema.parse(data) };
  } catch (error) {
    return { kind: 'other', problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The queues of workers, filled by the controller. */
export interface WorkerQueues extends AsyncDisposable {
  send(worker: string, visits: readonly Visit[]): Promise<void>;
  /** Removes the queue of a worker that has left. */
  forget(worker: string): Promise<void>;
}

export function openWorkerQueues({
  client,
  prefix,
  log,
}: Pick<WorkQueueOptions, 'client' | 'prefix' | 'log'>): WorkerQueues {
  const queues = new Map<string, Queue<unknown, void>>();

  function queueOf(worker: string): Queue<unknown, void> {
    const known = queues.get(worker);
    if (known !== undefined) return known;
    const queue = new Queue<unknown, void>(queueName(worker), { connection: client, prefix });
    queue.on(
      'error',
      seldom(ERROR_PAUSE, (error: Error) => log.error('queue failed', { worker, error: error.message })),
    );
    queues.set(worker, queue);
    return queue;
  }

  return {
    send: (worker, visits) => addVisits(queueOf(worker), visits),
    forget: async (worker) => {
      const queue = queueOf(worker);
      queues.delete(worker);
      await queue.obliterate({ force: true });
      await queue.close();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

function queueName(worker: string | undefined): string {
  return worker === undefined ? QUEUE_NAME : `${QUEUE_NAME}-${worker}`;
}

async function addVisits(queue: Queue<unknown, void>, visits: readonly Visit[]): Promise<void> {
  const [first] = visits;
  if (first !== undefined) await queue.add('visits', visits, { attempts: 1, jobId: `v${first.token}` });
}

/** The jobs that this process is at. */
class JobsUnderWay {
  /** By id, each until the queue has noted its end. */
  readonly #jobs = new Map<string, Promise<void>>();
  #closing = false;
  #allNoted = (): void => {};

  /** Does a job; one that comes when the queue closes is left, because its leases are taken back. */
  async during(id: string, work: () => Promise<void>): Promise<void> {
    if (this.#closing) return;
    const job = work();
    this.#jobs.set(id, job);
    await job;
  }

  /** The queue has noted the end of a job. */
  noted(id: string): void {
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#allNoted();
  }

  /** Takes no further job, and waits for those under way; for a while also until the queue has noted their ends. */
  async ended(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#jobs.values());
    if (this.#jobs.size > 0) await withinNoting(new Promise<void>((resolve) => (this.#allNoted = resolve)));
  }
}

/** Waits for a work of Redis at the queue's end, but not longer than Redis has for it. */
async function withinNoting(work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, wait(NOTING, undefined, over)]);
  over.abort();
}

/** Opens the queue empty: jobs of a killed run are dropped, because the frontier takes back their leases. */
export async function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue> {
  const { client, prefix, slots, log } = options;
  const name = queueName(options.worker);
  const queue = new Queue<unknown, void>(name, { connection: client, prefix });
  queue.on(
    'error',
    seldom(ERROR_PAUSE, (error: Error) => log.error('queue failed', { error: error.message })),
  );
  await queue.obliterate({ force: true });
  const underWay = new JobsUnderWay();
  const worker = new Worker<unknown, void>(
    name,
    (job) =>
      underWay.during(job.id ?? '', async () => {
        const read = readVisits(job.data);
        if (read.kind === 'visits') await Promise.all(read.visits.map((visit) => options.process(visit)));
        else log.error('job is no visit', { job: job.id, problem: read.problem });
      }),
    {
      connection: client,
      prefix,
      concurrency: slots,
      lockDuration: LOCK,
      stalledInterval: STALLED_CHECK,
      maxStalledCount: STALLED_TIMES,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('completed', ({ id = '' }) => underWay.noted(id));
  worker.on('failed', (job) => underWay.noted(job?.id ?? ''));
  worker.on(
    'error',
    seldom(ERROR_PAUSE, (error: Error) => log.error('worker failed', { error: error.message })),
  );
  await worker.waitUntilReady();
  return {
    add: (visits) => addVisits(queue, visits),
    [Symbol.asyncDispose]: async () => {
      await underWay.ended();
      // by force: it would wait for a blocked call of a connection that is being made anew, which never comes back
      await worker.close(true);
      // what BullMQ wrote into it after the crawl's end would stay in Redis for ever
      if (options.worker !== undefined) await withinNoting(queue.obliterate({ force: true }).catch(() => {}));
      await queue.close();
    },
  };
}
