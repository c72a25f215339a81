/**
 * The work of one process for one crawl, under one controller: it enters itself among the workers, makes the visits that it is handed, and leaves. It never
 * leases by itself. A session ends when the crawl does, when another process leads it, when its owner drains it, or when something here is broken.
 */
import type { Log } from '../../base/log.ts';
import { createWake } from '../../base/wake.ts';
import { linkedAbort } from '../../base/linked-abort.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import { BEAT_EVERY, isSilent, look, type Heartbeats } from '../../core/fleet/liveness.ts';
import { createVisitMaker, LEASE_TERM } from '../../dispatch/make-visit.ts';
import { readController } from '../../fleet/epoch.ts';
import { NewsList } from '../../fleet/news.ts';
import { WorkerRegistry } from '../../fleet/registry.ts';
import type { CrawlId } from '../../model/crawl-id.ts';
import type { Visit } from '../../model/visit.ts';
import { VERSION } from '../../options/identity.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import { keySpace, type KeySpace } from '../../redis/key-space.ts';
import { refusedWrite } from '../../redis/refused-write.ts';
import type { VisitingContext } from '../crawl-context.ts';
import type { RequestShare } from '../opening/politeness-policy.ts';
import { VisitCommits } from '../visit-commits.ts';
import type { FleetClock } from './fleet-clock.ts';

/** The pause between two looks of a worker without visits whether the crawl has ended. */
const IDLE_LOOK_EVERY: Milliseconds = milliseconds(250);

export type SessionEnd = 'crawl-ended' | 'other-controller' | 'drained';

interface SessionNeeds {
  readonly crawl: CrawlId;
  /** The worker's names: one in keys, and one for people. */
  readonly id: string;
  readonly name: string;
  readonly client: RedisConnection['client'];
  readonly clock: FleetClock;
  readonly share: RequestShare;
  /** The egress address of this worker; empty where it is not given. */
  readonly egress: string;
  /** Does this worker keep files of the crawl on its own disk? */
  readonly keepsFiles: boolean;
  /** The controller's egress address, where politeness counts for each; null where it counts for all together. */
  readonly controllerEgress: string | null;
  /** Visits at a time: this machine may work for several crawls. */
  readonly slots: () => number;
  /** How long visits under way may take when the session is drained. */
  readonly grace: Milliseconds;
  /** Aborts when the session is to be drained. */
  readonly draining: AbortSignal;
  /** Aborts when visits under way are to be given back. */
  readonly atOnce: AbortSignal;
}

export class WorkSession {
  readonly #needs: SessionNeeds;
  readonly #context: VisitingContext;
  readonly #keys: KeySpace;
  readonly #registry: WorkerRegistry;
  readonly #news: NewsList;
  readonly #log: Log;
  readonly #stop = linkedAbort(new AbortController().signal);
  readonly #idle = createWake();
  readonly #commits: VisitCommits;
  #underWay = 0;
  #made = 0;
  #beat = 0;
  #heard = 0;
  #leaving = false;
  #heartbeats: Heartbeats | null = null;
  #broken: unknown = null;

  /** @param context is closed when the session has ended */
  constructor(context: VisitingContext, needs: SessionNeeds) {
    this.#needs = needs;
    this.#context = context;
    this.#keys = keySpace(needs.crawl);
    this.#registry = new WorkerRegistry(needs.client, this.#keys);
    this.#news = new NewsList(needs.client, this.#keys);
    this.#log = context.log;
    this.#commits = new VisitCommits(context, {
      onCommitted: () => {},
      onOtherHosts: () => {},
      onRoom: async () => {},
    });
    const tell = (note: string): void => void this.#tell({ note, worker: needs.name });
    context.notes.onSay(tell);
  }

  /** Visits that were made. */
  get made(): number {
    return this.#made;
  }

  /** Visits at a time. */
  get slots(): number {
    return this.#needs.slots();
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Stalls of the main loop. */
  get stalls(): number {
    return this.#context.watch.stalls;
  }

  /** Works until an end. @param epoch of the controller @throws what broke it */
  async run(epoch: number): Promise<SessionEnd> {
    const { atOnce, draining } = this.#needs;
    const giveUp = (): void => this.#stop.abort(new Error('the worker was stopped'));
    atOnce.addEventListener('abort', giveUp, { once: true });
    if (atOnce.aborted) giveUp();
    const maker = createVisitMaker({
      ...this.#context,
      leaseFor: LEASE_TERM,
      givesUpSilent: true,
      delayOf: this.#context.politeness.delayOf,
      process: (finished, signal) => this.#commits.process(finished, signal),
      commit: (finished, commit) => this.#commits.commit(finished, commit),
      onBroken: (error) => this.#breakOff(error),
      draining,
      atOnce: this.#stop.signal,
    });
    const queue = await this.#context.openQueue((visit) => this.#visit(visit, (each) => maker.make(each)));
    try {
      await this.#enter();
      await this.#tell({ joined: true });
      const end = await this.#beatUntilEnd(epoch);
      await this.#finish(end);
      if (this.#broken !== null) throw asError(this.#broken);
      return end;
    } finally {
      atOnce.removeEventListener('abort', giveUp);
      await queue[Symbol.asyncDispose]();
      // close the archive first: it is whole once the worker is gone from the list
      await this.#context.snapshots[Symbol.asyncDispose]();
      // the controller finds it out by itself; what has ended the session is told, and the browser is closed
      await this.#registry
        .leave(this.#needs.id)
        .catch((error: unknown) => this.#log.warn('worker is listed still', { error: String(error) }));
      this.#log.info('worker leaves', { crawl: this.#needs.crawl, visits: this.#made });
      await this.#context.disposal[Symbol.asyncDispose]();
    }
  }

  async #visit(visit: Visit, make: (visit: Visit) => Promise<void>): Promise<void> {
    const { frontier, clock } = this.#context;
    this.#underWay += 1;
    try {
      if (this.#leaving) {
        await frontier.release(visit.token, clock.now());
      } else {
        await make(visit);
        this.#made += 1;
      }
      await this.#tell({ finished: visit.token });
    } catch (error) {
      this.#breakOff(error);
    } finally {
      this.#underWay -= 1;
      this.#idle.notify();
    }
  }

  /** @returns false where the crawl is gone */
  #enter(): Promise<boolean> {
    const { id, name, slots, egress, keepsFiles } = this.#needs;
    this.#beat += 1;
    const places = this.#leaving ? 0 : slots() + this.#context.waitingPages.value;
    const since = this.#context.clock.now();
    return this.#registry.enter({
      id,
      name,
      slots: places,
      beat: this.#beat,
      since,
      version: VERSION,
      egress,
      heard: this.#heard,
      keepsFiles,
    });
  }

  async #beatUntilEnd(epoch: number): Promise<SessionEnd> {
    const { draining, client, clock, share } = this.#needs;
    using resting = linkedAbort(draining);
    this.#stop.signal.addEventListener('abort', () => resting.abort(null), { once: true });
    for (;;) {
      if (draining.aborted || this.#stop.signal.aborted) return 'drained';
      const controller = await readController({ client, keys: this.#keys }, clock);
      if (controller === null || controller.state === 'left') return 'crawl-ended';
      if (controller.epoch !== epoch) return 'other-controller';
      clock.set(controller.time);
      share.parts = await this.#sharing();
      if (!(await this.#enter())) return 'crawl-ended';
      this.#heard = await this.#commits.look();
      await this.#rest(epoch, resting.signal);
    }
  }

  /** Waits for the next heartbeat. A worker without visits looks meanwhile whether the crawl has ended, as the controller waits for it then. */
  async #rest(epoch: number, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#needs;
    for (let rested = 0; rested < BEAT_EVERY && !signal.aborted; rested += IDLE_LOOK_EVERY) {
      await clock.sleep(IDLE_LOOK_EVERY, signal).catch(() => {});
      if (this.#underWay > 0) continue;
      const controller = await readController({ client, keys: this.#keys }, clock);
      if (controller?.epoch !== epoch || controller.state === 'left') return;
    }
  }

  /** The number of processes that share the requests that a host bears. */
  async #sharing(): Promise<number> {
    const { egress, controllerEgress, clock } = this.#needs;
    const now = clock.monotonic();
    const entered = await this.#registry.list();
    const heartbeats = look(this.#heartbeats, new Map(entered.map(({ id, beat }) => [id, beat])), now);
    this.#heartbeats = heartbeats;
    // a worker that was killed stays in the register
    const workers = entered.filter(({ id }) => {
      const heartbeat = heartbeats.get(id);
      return heartbeat !== undefined && !isSilent(heartbeat, now);
    });
    if (controllerEgress === null) return workers.length + 1;
    const own = workers.filter((each) => each.egress === egress).length + (controllerEgress === egress ? 1 : 0);
    return Math.max(1, own); // it has not entered itself at first
  }

  /** Begins nothing new; finishes visits under way where that still counts, and gives back those that last too long. */
  async #finish(end: SessionEnd): Promise<void> {
    const { grace } = this.#needs;
    this.#leaving = true;
    if (end !== 'drained') this.#stop.abort(new Error('the crawl has ended, or another process leads it'));
    else await this.#enter();
    const over = setTimeout(() => this.#stop.abort(new Error('the time for visits under way is over')), grace);
    const beats = setInterval(() => void this.#enter().catch(() => false), BEAT_EVERY);
    try {
      while (this.#underWay > 0) await this.#idle.wait(NEVER);
    } finally {
      clearTimeout(over);
      clearInterval(beats);
    }
  }

  #breakOff(cause: unknown): void {
    const error = refusedWrite(cause) ?? cause;
    if (this.#broken === null) void this.#tell({ note: `breaks off: ${wordsOf(error)}`, worker: this.#needs.name }); // never rejects
    this.#broken ??= error;
    this.#log.error('worker breaks off', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    this.#stop.abort(error);
  }

  async #tell(item: Parameters<NewsList['tell']>[0]): Promise<void> {
    // the controller finds it out by itself
    await this.#news.tell(item).catch((error: unknown) => this.#log.warn('news were lost', { error: String(error) }));
  }
}

function wordsOf(error: unknown): string {
  const [first = ''] = asError(error).message.split('\n', 1);
  return first;
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}

const NEVER = new AbortController().signal;
