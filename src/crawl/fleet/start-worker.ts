/** Starts workers: processes that lend their machine to crawls which others lead. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { CrawlError } from '../../base/errors.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { milliseconds } from '../../base/units.ts';
import { readController } from '../../fleet/epoch.ts';
import type { CoreClaim } from '../../fleet/core-claim.ts';
import { announcedCrawls, readPosting, type Posting } from '../../fleet/posting.ts';
import { crawlId, type CrawlId } from '../../model/crawl-id.ts';
import { requireOwnAddress } from '../../egress/local-address.ts';
import { VERSION } from '../../options/identity.ts';
import { connectRedis, userTarget, type RedisConnection } from '../../redis/connect.ts';
import { checkRedisFitness } from '../../redis/fitness.ts';
import { keySpace } from '../../redis/key-space.ts';
import { throwRefused } from '../../redis/refused-write.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import type { RequestShare } from '../opening/politeness-policy.ts';
import { openMetricsServer } from '../metrics/open-metrics-server.ts';
import { workerMetrics } from '../metrics/worker-metrics.ts';
import { awaitPosting } from './await-posting.ts';
import { createFleetClock, type FleetClock } from './fleet-clock.ts';
import type { WorkerSettings } from './open-worker-context.ts';
import { UnservedCrawls } from './unserved-crawls.ts';
import { waitForCore } from './wait-for-core.ts';
import type { SessionEnd, WorkSession } from './work-session.ts';

export interface WorkerOptions extends WorkerSettings {
  /** Id of a crawl, or `*` for whatever crawls the server has. */
  readonly crawl: string;
  /** Milliseconds for visits under way when the worker is drained. */
  readonly grace: number;
  readonly log: Log | null;
  /** Called when the worker has joined or left a crawl. */
  readonly say: (text: string) => void;
}

/** How a worker is ended: `draining` lets visits under way end, `atOnce` gives them back. */
export interface WorkerSignals {
  readonly draining: AbortSignal;
  readonly atOnce: AbortSignal;
}

/** Every crawl. */
const ANY_CRAWL = '*';
/** The pause between two looks which crawls there are: of a worker that serves none, and of others, whose looks take time from a crawl. */
const LOOK_EVERY = milliseconds(250);
const LOOK_BESIDE_EVERY = milliseconds(1000);

/**
 * Works until the crawl ends, or until it is drained; with `*` until it is drained.
 * @throws {CrawlError} USAGE, CRAWL_UNKNOWN, WORKER_REFUSED, REDIS_UNREACHABLE, REDIS_UNFIT, BROWSER_MISSING, and what breaks a visit's commit
 */
export async function startWorker(
  options: WorkerOptions,
  environment: CrawlEnvironment,
  signals: WorkerSignals,
): Promise<void> {
  const { redis, redisCluster, log, crawl, egressAddress } = options;
  if (egressAddress !== undefined) await requireOwnAddress(egressAddress, 'egressAddress');
  await using connection = await connectRedis(userTarget(redis, redisCluster), log ?? silentLog, signals.draining);
  const { client } = connection;
  await checkRedisFitness(client);
  const work = new Work(options, { client, environment, signals });
  const { metrics } = options;
  await using _server =
    metrics === undefined
      ? null
      : await openMetricsServer(metrics, {
          illness: () => null,
          metrics: () => workerMetrics(work, () => client.ping()),
        });
  await (crawl === ANY_CRAWL ? work.serveAll() : work.serve(crawl));
}

interface WorkParts {
  readonly client: RedisConnection['client'];
  readonly environment: CrawlEnvironment;
  readonly signals: WorkerSignals;
}

class Work {
  readonly #options: WorkerOptions;
  readonly #parts: WorkParts;
  readonly sessions = new Set<WorkSession>();
  /** Visits of sessions that have ended. */
  madeBefore = 0;
  /** Stalls during them. */
  stallsBefore = 0;

  constructor(options: WorkerOptions, parts: WorkParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Visits at a time, for all crawls. */
  get slots(): number {
    return [...this.sessions].reduce((sum, session) => sum + session.slots, 0);
  }

  /** Serves one crawl, under whichever controller, until it ends. */
  async serve(crawl: string): Promise<void> {
    let end: SessionEnd;
    do end = await this.#session(crawl).catch(throwRefused);
    while (end === 'other-controller' && !this.#parts.signals.draining.aborted);
  }

  /** Serves every crawl that is there, and later ones. */
  async serveAll(): Promise<void> {
    const { client, signals } = this.#parts;
    const { log, say } = this.#options;
    const serving = new Map<string, Promise<void>>();
    const clock = createFleetClock();
    const unserved = new UnservedCrawls(clock);
    while (!signals.draining.aborted) {
      const there = await announcedCrawls(client).catch(throwRefused);
      unserved.keep(there);
      for (const crawl of there) {
        if (serving.has(crawl) || !unserved.isTried(crawl)) continue;
        const began = clock.monotonic();
        const work = this.serve(crawl).catch((error: unknown) => {
          // a crawl is announced a moment before it is posted, and until its process has ended
          if (error instanceof CrawlError && error.code === 'CRAWL_UNKNOWN') {
            if (unserved.isMissing(crawl)) say(error.message);
            return;
          }
          const pause = unserved.failed(crawl, error, milliseconds(clock.monotonic() - began));
          const again =
            pause === null || signals.draining.aborted ? '' : `\n${crawl} is tried again in ${pause / 1000} s.`;
          say(`${error instanceof Error ? error.message : String(error)}${again}`);
          log?.error('crawl is not served', { crawl, error: String(error), pause });
        });
        serving.set(
          crawl,
          work.finally(() => serving.delete(crawl)),
        );
      }
      await clock.sleep(serving.size === 0 ? LOOK_EVERY : LOOK_BESIDE_EVERY, signals.draining).catch(() => {});
    }
    await Promise.all(serving.values());
  }

  async #session(crawl: string): Promise<SessionEnd> {
    const { client, environment, signals } = this.#parts;
    const { log, say, grace } = this.#options;
    const clock = createFleetClock();
    if (!(await awaitPosting({ client, crawl, clock }, signals.draining))) return 'drained';
    const posting = await readPosting(client, crawl, VERSION);
    const id = crawlId(crawl);
    const controller = await readController({ client, keys: keySpace(id) }, clock);
    if (controller === null || controller.state === 'left') throw notLed(crawl);
    if (controller.epoch !== posting.epoch) return 'other-controller';
    clock.set(controller.time);
    const share: RequestShare = { parts: 1 };
    const worker = `w-${randomBytes(4).toString('hex')}`;
    const settings = this.#options;
    const claim = await this.#claimCore(posting, { crawl: id, worker, clock });
    if (typeof claim === 'string') {
      say(`left ${crawl}: ${END_WORDS[claim]}`);
      return claim;
    }
    await using _claim = claim;
    const needs = { settings, posting, crawl: id, worker, client, clock, share, environment, outerLog: log };
    // Loaded when it has its turn: the modules of a visit cost a second of a slow core, and others render on it until then.
    const [{ openWorkerContext }, opened] = await Promise.all([
      import('./open-worker-context.ts'),
      import('./work-session.ts'),
    ]);
    const context = await openWorkerContext(needs, signals.draining).catch(async (error: unknown) => {
      if (!(error instanceof CrawlError) || error.code !== 'STATE_LOST' || (await this.#isLed(id, clock))) throw error;
      return null; // the crawl has ended meanwhile, and its state is removed
    });
    if (context === null) {
      say(`left ${crawl}: ${END_WORDS['crawl-ended']}`);
      return 'crawl-ended';
    }
    const name = `${hostname()}:${process.pid}`;
    const { capacity } = context;
    const slots = (): number => Math.max(1, Math.floor(capacity.slots / Math.max(1, this.sessions.size)));
    const session = new opened.WorkSession(context, {
      crawl: id,
      id: worker,
      name,
      client,
      clock,
      share,
      egress: settings.egressAddress ?? '',
      keepsFiles: settings.crawlFolder === null && keepsOnDisk(context.plan.options),
      controllerEgress: posting.options['perEgressAddress'] === true ? posting.egress : null,
      slots,
      grace: milliseconds(grace),
      ...signals,
    });
    this.sessions.add(session);
    say(`working for ${crawl} as ${worker}: ${slots()} visits at a time, files in ${context.plan.folder}`);
    try {
      const end = await session.run(controller.epoch);
      say(`left ${crawl} after ${session.made} visits: ${END_WORDS[end]}`);
      return end;
    } finally {
      this.sessions.delete(session);
      this.madeBefore += session.made;
      this.stallsBefore += session.stalls;
    }
  }

  async #isLed(crawl: CrawlId, clock: FleetClock): Promise<boolean> {
    const controller = await readController({ client: this.#parts.client, keys: keySpace(crawl) }, clock);
    return controller !== null && controller.state !== 'left';
  }

  /** @returns null where the crawl renders nothing */
  async #claimCore(
    { options }: Posting,
    { crawl, worker, clock }: { readonly crawl: CrawlId; readonly worker: string; readonly clock: FleetClock },
  ): Promise<CoreClaim | 'crawl-ended' | 'drained' | null> {
    if (options['render'] === 'never') return null;
    const { client, environment, signals } = this.#parts;
    const { workers, egressAddress, say } = this.#options;
    const { cores, processors } = environment;
    const atOnce = workers !== undefined || egressAddress !== undefined;
    const { draining } = signals;
    return waitForCore({
      client,
      keys: keySpace(crawl),
      clock,
      cores,
      processors,
      holder: worker,
      atOnce,
      say,
      draining,
    });
  }
}

/** Do pages leave files on the disk of the machine that visits them? */
function keepsOnDisk({ snapshot, snapshotStorage }: ParsedOptions): boolean {
  return snapshot.some((part) => part === 'warc' || snapshotStorage === undefined);
}

const END_WORDS: Readonly<Record<SessionEnd, string>> = {
  'crawl-ended': 'it has ended',
  'other-controller': 'another process leads it now',
  drained: 'stopped',
};

function notLed(crawl: string): CrawlError {
  return new CrawlError(
    'CRAWL_UNKNOWN',
    `Nobody leads the crawl ${crawl}: it is paused, or has ended.\nGo on with it by resume --redis.`,
    {
      data: { crawl },
    },
  );
}
