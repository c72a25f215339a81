/**
 * The controller's view of the processes that make one crawl: it leads under an epoch, knows the live workers, hands them visits and hears what they
 * have finished. Only for a crawl on a Redis server of the user's: one with a server of its own has no workers.
 */
import { hostname } from 'node:os';
import { CrawlError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { BEAT_EVERY, isBeating, look, SILENCE, type Heartbeats } from '../../core/fleet/liveness.ts';
import type { RemoteWorkers } from '../../dispatch/visit-loop.ts';
import { openWorkerQueues, type WorkerQueues } from '../../dispatch/work-queue.ts';
import { claimCore } from '../../fleet/core-claim.ts';
import { takeEpoch, type Epoch, type SeenLeader } from '../../fleet/epoch.ts';
import { NewsList } from '../../fleet/news.ts';
import { announce, post, tryAnnouncing, type Posting } from '../../fleet/posting.ts';
import { WorkerRegistry, type Registration } from '../../fleet/registry.ts';
import { connectRedis, type RedisConnection, type RedisTarget } from '../../redis/connect.ts';
import type { KeySpace } from '../../redis/key-space.ts';
import type { ContextParts } from '../opening/context-parts.ts';
import type { RequestShare } from '../opening/politeness-policy.ts';

/** A controller without a heartbeat for so long leases nothing: another one may take over soon. */
const LEASELESS: Milliseconds = milliseconds(SILENCE - BEAT_EVERY);

interface FleetNeeds extends Pick<ContextParts, 'clock' | 'log' | 'notes' | 'disposal'> {
  readonly client: RedisConnection['client'];
  /** The server, for connections that wait or listen. */
  readonly target: RedisTarget;
  readonly keys: KeySpace;
  readonly share: RequestShare;
  /** The egress address of this process, empty where it is not given; null where politeness counts for all processes together. */
  readonly egress: string | null;
  /** Does this process make visits, too? */
  readonly makesVisits: boolean;
  /** Name of the processors on which this process renders pages; null where it renders none. */
  readonly rendersOn: string | null;
  /** The last heartbeat seen of the process that led before; null: none. */
  readonly leader: SeenLeader | null;
}

interface FleetListeners {
  readonly onFinished: (tokens: readonly number[]) => Promise<void>;
  /** Called each second, and when workers come or go. */
  readonly onLook: () => void;
  /** Called when another process leads the crawl. */
  readonly onLost: (error: CrawlError) => void;
}

/** Takes the lead. @throws {CrawlError} CRAWL_LED */
export async function openFleet(needs: FleetNeeds, signal: AbortSignal): Promise<CrawlFleet> {
  const { disposal, target, log } = needs;
  const owner = `process ${process.pid} on ${hostname()}`;
  const epoch = await takeEpoch({ ...needs, owner }, needs.leader, signal);
  const waiting = disposal.use(await connectRedis(target, log, signal)).client;
  const listener = disposal.use(await connectRedis(target, log, signal)).client;
  await tryAnnouncing(listener);
  const queues = openWorkerQueues({ ...needs, prefix: needs.keys.key('q', 'bull') });
  await new NewsList(needs.client, needs.keys).clear();
  const { rendersOn, ...rest } = needs;
  if (rendersOn !== null) {
    const claim = await claimCore({ ...rest, processors: rendersOn, holder: `controller-${epoch.number}` }, null);
    if (claim !== null) disposal.use(claim);
  }
  const fleet = new CrawlFleet(needs, { epoch, news: new NewsList(waiting, needs.keys), queues, listener });
  await fleet.begin();
  return fleet;
}

export class CrawlFleet implements RemoteWorkers, AsyncDisposable {
  readonly #needs: FleetNeeds;
  readonly #epoch: Epoch;
  readonly #news: NewsList;
  readonly #queues: WorkerQueues;
  readonly #registry: WorkerRegistry;
  readonly #log: Log;
  #heartbeats: Heartbeats | null = null;
  #workers: ReadonlyMap<string, Registration> = new Map();
  #alive: ReadonlyMap<string, number> = new Map();
  readonly #left = new Set<string>();
  /** When the last heartbeat was accepted. */
  #kept: Milliseconds;
  #lost = false;
  #isOver = false;
  readonly #closing = new AbortController();
  #beating: Promise<void> = Promise.resolve();
  /** The error that ended the heartbeats. */
  #fault: Error | null = null;
  readonly #listener: RedisConnection['client'];
  #posting: Omit<Posting, 'epoch'> | null = null;
  #recount: () => Promise<void> = async () => {};

  constructor(
    needs: FleetNeeds,
    parts: {
      readonly epoch: Epoch;
      readonly news: NewsList;
      readonly queues: WorkerQueues;
      readonly listener: RedisConnection['client'];
    },
  ) {
    this.#needs = needs;
    this.#epoch = parts.epoch;
    this.#news = parts.news;
    this.#queues = parts.queues;
    this.#listener = parts.listener;
    this.#registry = new WorkerRegistry(needs.client, needs.keys);
    this.#log = needs.log;
    this.#kept = needs.clock.monotonic();
  }

  /** Beats from now on until it is closed: a crawl that is opened, or brought to its end, may take minutes, and nobody is to take it for dead. */
  async begin(): Promise<void> {
    await this.#look();
    this.#beating = this.#beat(this.#closing.signal).catch((error: unknown) => {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** May visits be leased? Not where another process leads, or may lead soon. */
  get leads(): boolean {
    return !this.#lost && this.#needs.clock.monotonic() - this.#kept < LEASELESS;
  }

  /** Does another process lead? Not known while Redis is away. */
  get isReplaced(): boolean {
    return this.#lost;
  }

  /** The epoch under which this process leads: the frontier refuses others. */
  get epoch(): number {
    return this.#epoch.number;
  }

  /** Has the lead ended, and are all workers gone? */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Workers that are alive. */
  get size(): number {
    return this.#alive.size;
  }

  /** Keeps the posting for workers until `run` publishes it, when the crawl folder is there. */
  prepare(posting: Omit<Posting, 'epoch'>): void {
    this.#posting = posting;
  }

  /** @param recount called before visits of workers count as finished */
  countBy(recount: () => Promise<void>): void {
    this.#recount = recount;
  }

  slots(): ReadonlyMap<string, number> {
    return this.leads ? this.#alive : new Map();
  }

  egressOf(worker: string): string {
    return this.#workers.get(worker)?.egress ?? '';
  }

  send(...visits: Parameters<RemoteWorkers['send']>): Promise<void> {
    return this.#queues.send(...visits);
  }

  hasLeft(worker: string): boolean {
    return this.#left.has(worker);
  }

  /** Has each live worker heard of so many changes? A change that one has not heard of may make it queue pages again. */
  async haveHeard(changes: number): Promise<boolean> {
    const entered = await this.#registry.list();
    return entered.every(({ id, heard }) => heard >= changes || !this.#alive.has(id));
  }

  beforeFinished(): Promise<void> {
    return this.#recount();
  }

  /** Looks and listens until the signal. @throws what Redis throws */
  async run(listeners: FleetListeners, signal: AbortSignal): Promise<void> {
    const { client, keys } = this.#needs;
    if (this.#posting !== null) await post(client, keys, { ...this.#posting, epoch: this.epoch });
    await announce(this.#listener, keys);
    await Promise.all([this.#watch(listeners, signal), this.#listen(listeners, signal)]);
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { clock } = this.#needs;
    while (!signal.aborted) {
      this.#lost = !(await this.#epoch.beat());
      if (this.#lost) break;
      this.#kept = clock.monotonic();
      await clock.sleep(BEAT_EVERY, signal).catch(() => {});
    }
  }

  async #watch({ onLook, onLost }: FleetListeners, signal: AbortSignal): Promise<void> {
    const { clock, keys } = this.#needs;
    while (!signal.aborted) {
      if (this.#fault !== null) throw this.#fault;
      if (this.#lost) {
        const what = `Another process leads the crawl ${keys.crawl} now; this one has stopped.`;
        onLost(new CrawlError('CRAWL_LED', `${what}\nThe crawl goes on there.`));
        return;
      }
      await this.#look();
      onLook();
      await clock.sleep(BEAT_EVERY, signal).catch(() => {});
    }
  }

  async #listen({ onFinished, onLook }: FleetListeners, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#news.stop(), { once: true });
    while (!signal.aborted) {
      const finished: number[] = [];
      let hasJoined = false;
      const heard = await this.#news.next().catch((error: unknown) => {
        if (signal.aborted) return [];
        throw error;
      });
      for (const item of heard) {
        if ('finished' in item) finished.push(item.finished);
        else if ('joined' in item) hasJoined = true;
        else this.#needs.notes.say(`${item.worker}: ${item.note}`);
      }
      if (finished.length > 0) await onFinished(finished);
      if (hasJoined) {
        await this.#look();
        onLook();
      }
    }
  }

  async #look(): Promise<void> {
    const { clock, share, makesVisits, egress } = this.#needs;
    const now = clock.monotonic();
    const entered = await this.#registry.list();
    this.#heartbeats = look(this.#heartbeats, new Map(entered.map(({ id, beat }) => [id, beat])), now);
    const heartbeats = this.#heartbeats;
    const living = entered.filter(({ id }) => {
      const heartbeat = heartbeats.get(id);
      return heartbeat !== undefined && isBeating(heartbeat, now);
    });
    await this.#noteChanges(entered, living);
    const sharing = living.filter((each) => egress === null || each.egress === egress);
    share.parts = Math.max(1, sharing.length + (makesVisits ? 1 : 0));
  }

  async #noteChanges(entered: readonly Registration[], living: readonly Registration[]): Promise<void> {
    const [before, aliveBefore] = [this.#workers, this.#alive];
    // both at once, or a worker could have slots and no address while this waits
    this.#workers = new Map(entered.map((each) => [each.id, each]));
    this.#alive = new Map(living.map(({ id, slots }) => [id, slots]));
    for (const { id, name, slots } of living)
      if (!aliveBefore.has(id)) this.#log.info('worker joined', { worker: id, name, slots });
    if (living.some(({ keepsFiles }) => keepsFiles)) this.#needs.notes.say(KEPT_APART);
    for (const [id, { name }] of before) {
      if (!this.#workers.has(id)) {
        this.#left.add(id);
        this.#log.info('worker left', { worker: id, name });
        await this.#queues.forget(id);
      } else if (aliveBefore.has(id) && !this.#alive.has(id)) {
        this.#log.warn('worker is silent: its visits are made again when their leases have run out', {
          worker: id,
          name,
        });
      }
    }
  }

  /** Lets workers go, and others lead. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { clock } = this.#needs;
    this.#closing.abort();
    await this.#beating;
    if (!this.#lost && (await this.#epoch.leave())) {
      // wait for the workers, so that none writes a key after the crawl's end
      const until = clock.monotonic() + SILENCE;
      for (;;) {
        await this.#look();
        this.#isOver = this.#alive.size === 0;
        if (this.#isOver || clock.monotonic() >= until) break;
        await clock.sleep(LAST_LOOK_EVERY, new AbortController().signal);
      }
    }
    await this.#queues[Symbol.asyncDispose]();
  }
}

const KEPT_APART =
  'workers keep what they store of pages on their own disks: orbweaver gather brings it to the crawl folder';

/** The pause between two looks whether all workers have gone. */
const LAST_LOOK_EVERY: Milliseconds = milliseconds(100);
