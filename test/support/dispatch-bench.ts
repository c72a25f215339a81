/** Everything that a crawl wires between frontier and renderer, over a real Redis, for tests that play renderer and network. */
import { Agent } from 'undici';
import { systemClock } from '../../src/base/clock.ts';
import { createDisposal, type Disposal } from '../../src/base/disposal.ts';
import { silentLog, type Log } from '../../src/base/log.ts';
import { milliseconds, type EpochMs } from '../../src/base/units.ts';
import { allowAllUrls, type RobotsChecker } from '../../src/dispatch/robots-checker.ts';
import type { FinishedVisit } from '../../src/dispatch/make-visit.ts';
import { openVisitLoop, type RemoteWorkers, type VisitLoop } from '../../src/dispatch/visit-loop.ts';
import { openWorkQueue } from '../../src/dispatch/work-queue.ts';
import type { AddressVerdict, Egress } from '../../src/egress/egress.ts';
import type { Frontier, LeaseRequest } from '../../src/frontier/frontier.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import type { VisitCommit } from '../../src/model/visit-commit.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { RedisConnection } from '../../src/redis/connect.ts';
import { nullRenderer } from '../../src/render/null-renderer.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import { pageRecord, seed, commit } from './frontier-nouns.ts';
import { pageOf } from './page.ts';
import type { TestRedis } from './redis.ts';

export const never = new AbortController().signal;
export const captured = (visit: Visit): VisitOutcome => ({ kind: 'captured', page: pageOf(visit.url) });
const visited = ({ visit }: FinishedVisit): VisitCommit =>
  commit({ kind: 'visited', record: pageRecord(visit.url) }, [], { hostSlots: 64 });

export function egressThat(verdict: AddressVerdict): Egress {
  return {
    authority: null,
    proxyUrl: 'http://127.0.0.1:9',
    proxyCredential: {
      username: '',
      password: '',
      greeting: '',
      probe: () => ({ url: '', arrived: () => true, [Symbol.dispose]: () => {} }),
    },
    serve: () => {},
    dispatcher: new Agent(),
    check: () => Promise.resolve(verdict),
    tryUpstream: async () => await Promise.resolve(null),
    lookUp: () => Promise.resolve({ kind: 'no-address' }),
    grant: () => {},
    lastFailure: () => null,
    holdsBack: () => false,
    subresourceTurn: () => Promise.resolve(),
    bodyArrives: () => null,
    counts: () => ({ requests: 0, refused: 0, received: 0 }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export interface DispatchOptions {
  readonly slots?: number;
  readonly workers?: RemoteWorkers;
  /** Egress address of this process, if politeness counts for each address. */
  readonly egressAddress?: string;
  readonly leaseFor?: number;
  readonly leaseSpacing?: number;
  readonly budget?: () => number;
  readonly renderer?: Renderer;
  readonly egress?: Egress;
  readonly robots?: RobotsChecker;
  /** Default: every lease needs its visit. */
  readonly leaveOut?: (visit: Visit) => Promise<boolean>;
  readonly isNothingToCome?: () => Promise<boolean>;
  readonly settle?: (finished: FinishedVisit) => VisitCommit;
  /** Milliseconds between robots.txt and the first page. */
  readonly delay?: number;
  readonly draining?: AbortSignal;
  readonly atOnce?: AbortSignal;
  readonly onSettled?: (finished: FinishedVisit) => void;
  readonly log?: Log;
  /** Default: no DNS look-ups. */
  readonly addresses?: 'awaited' | 'unused';
}

export interface DispatchBench extends AsyncDisposable {
  readonly frontier: Frontier;
  readonly loop: VisitLoop;
  /** The connection of frontier and queue. */
  readonly client: RedisConnection['client'];
  readonly prefix: string;
  readonly finished: readonly FinishedVisit[];
  readonly leases: readonly { readonly now: EpochMs; readonly count: number }[];
}

/** Wires everything between frontier and renderer, with these options. */
export async function openDispatchBench(redis: TestRedis, options: DispatchOptions): Promise<DispatchBench> {
  const disposal: Disposal = createDisposal();
  const { client } = disposal.use(await redis.connect());
  const keys = redis.keys();
  const { addresses = 'unused', egressAddress = null } = options;
  const egresses = egressAddress === null ? 'together' : 'apart';
  const inRedis = await openFrontier({ client, keys, state: 'new', addresses, egresses });
  const finished: FinishedVisit[] = [];
  const leases: { now: EpochMs; count: number }[] = [];
  const lease = async (request: LeaseRequest): ReturnType<Frontier['lease']> => {
    const reply = await inRedis.lease(request);
    if (reply.kind === 'leased') leases.push({ now: request.now, count: reply.visits.length });
    return reply;
  };
  const frontier: Frontier = new Proxy(inRedis, {
    get: (target, name) => {
      if (name === 'lease') return lease;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const log = options.log ?? silentLog;
  const leaseFor = milliseconds(options.leaseFor ?? 30_000);
  const renderer = options.renderer ?? nullRenderer(captured);
  const slots = options.slots ?? 2;
  const prefix = keys.key('q', 'bull');
  const loop = disposal.use(
    await openVisitLoop({
      frontier,
      egress: options.egress ?? egressThat({ kind: 'allowed', addresses: ['127.0.0.1'] }),
      robots: options.robots ?? allowAllUrls,
      ...(options.workers === undefined ? {} : { workers: options.workers }),
      egressAddress,
      openQueue: (visit) => openWorkQueue({ client, prefix, slots: Math.max(1, slots), log, process: visit }),
      leaveOut: options.leaveOut ?? (() => Promise.resolve(false)),
      isNothingToCome: options.isNothingToCome ?? (() => Promise.resolve(true)),
      loadPage: (visit, signal) => renderer.render(visit, signal),
      process: (done) => Promise.resolve((options.settle ?? visited)(done)),
      commit: async (done, change) => {
        const reply = await frontier.commit(done.visit, change, systemClock.now());
        if (reply.kind !== 'committed') return;
        finished.push(done);
        options.onSettled?.(done);
      },
      onBroken: (error) => {
        throw error;
      },
      watch: { note: () => ({ [Symbol.dispose]: () => {} }) },
      clock: systemClock,
      log,
      slots: () => slots,
      leaseFor,
      newHostDelay: milliseconds(0),
      leaseSpacing: milliseconds(options.leaseSpacing ?? 0),
      delayOf: () => milliseconds(options.delay ?? 0),
      budget: options.budget ?? (() => Number.POSITIVE_INFINITY),
      draining: options.draining ?? never,
      atOnce: options.atOnce ?? never,
    }),
  );
  return {
    frontier,
    loop,
    client,
    prefix,
    finished,
    leases,
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  };
}

/** Admits one seed on each of that many hosts, so that no host waits for itself. */
export async function admitHosts(frontier: Frontier, count: number): Promise<void> {
  const seeds = Array.from({ length: count }, (_, index) => seed(`http://host-${index}.example/`));
  await frontier.admit(seeds, [], systemClock.now());
}

export async function leaseNow(frontier: Frontier, leaseFor = 30_000): Promise<Visit> {
  const request = { now: systemClock.now(), count: 1, leaseFor: milliseconds(leaseFor), newHostDelay: milliseconds(0) };
  const reply = await frontier.lease(request);
  const [visit] = reply.kind === 'leased' ? reply.visits : [];
  if (visit === undefined) throw new Error(`nothing leased: ${JSON.stringify(reply)}`);
  return visit;
}

/** A renderer whose pages end at `release()`. */
export function heldRenderer(): Renderer & { readonly held: Visit[]; release(): void; readonly aborted: Visit[] } {
  const held: Visit[] = [];
  const aborted: Visit[] = [];
  const open = new AbortController();
  return {
    ...nullRenderer(captured),
    held,
    aborted,
    release: () => open.abort(),
    render: async (visit, signal) => {
      held.push(visit);
      const either = AbortSignal.any([open.signal, signal]);
      if (!either.aborted) await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }));
      if (signal.aborted) aborted.push(visit);
      signal.throwIfAborted();
      return captured(visit);
    },
  };
}
