/**
 * Leases as many visits as there are free slots, here and in workers, and dispatches those that are needed to who has them. It decides nothing about
 * URLs: the frontier knows when one is due. It ends when nothing is queued and nothing is under way, when the budget is spent, or
 * after `drain()`.
 *
 * A visit of another process ends for the dispatcher when that process says so, and at the latest when its lease is not out any more: what is said
 * may be lost, the leases are the truth.
 */
import type { Clock } from '../base/clock.ts';
import { linkedAbort } from '../base/linked-abort.ts';
import type { Log } from '../base/log.ts';
import { LruMap } from '../base/lru-map.ts';
import { after, between, milliseconds, seconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { createWake } from '../base/wake.ts';
import {
  assign,
  countFree,
  freeSlots,
  placesByEgress,
  type EgressOf,
  type FreeSlots,
  type Wanted,
} from '../core/fleet/assignment.ts';
import type { Frontier, LeaseReply } from '../frontier/frontier.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { createLeaseGrace } from './lease-grace.ts';
import { createLeaseRhythm } from './lease-rhythm.ts';

/** Leases that ran out are looked for this often; also the longest sleep, so that a changed clock is noticed. */
const REAP_EVERY = seconds(1);

/** The crew of this process. */
export const OWN_CREW = '';
/** Hosts of which it is remembered who visited them last (arbitrary). */
const REMEMBERED_HOSTS = 20_000;

export interface DispatcherOptions {
  readonly frontier: Frontier;
  readonly clock: Clock;
  readonly log: Log;
  /** Visits at a time of each crew that is alive: of this process (`OWN_CREW`), and of workers. */
  readonly crews: () => ReadonlyMap<string, number>;
  /** By which address a crew goes out; null where politeness counts for all crews together. */
  readonly egressOf: EgressOf;
  /** Has a worker said that it goes, and makes no visit any more? */
  readonly hasLeft: (crew: string) => boolean;
  /** Called before visits of workers count as finished: then the budget must know of them. */
  readonly beforeFinished: () => Promise<void>;
  /** Where nothing is left to lease: have all processes heard what visits have shown, so that none of them will queue pages for it? */
  readonly allHaveHeard: () => Promise<boolean>;
  readonly leaseFor: Milliseconds;
  /** See LeaseRequest. */
  readonly newHostDelay: Milliseconds;
  /** The least time between two leases over all hosts; 0 for none. */
  readonly leaseSpacing: Milliseconds;
  /** How many more pages may be visited; those under way are not yet subtracted. Infinity where there is no limit. */
  readonly budget: () => number;
  /** Whether a lease needs no visit: then it has ended. */
  readonly leaveOut: (visit: Visit) => Promise<boolean>;
  /** Hands visits to a crew. */
  readonly enqueue: (crew: string, visits: readonly Visit[]) => Promise<void>;
}

export type DispatchEnd = 'nothing-left' | 'hosts-given-up' | 'budget-spent' | 'drained';

interface UnderWay {
  readonly host: HostKey;
  readonly crew: string;
  /** Null once this process has started the visit, and for a worker's; a visit that is not started before it never reached this process. */
  readonly startBy: EpochMs | null;
}

interface Dispatcher {
  /**
   * Runs until the end; every visit that was dispatched has finished then.
   * @throws whatever the frontier or the work queue throws: without them nothing can go on
   */
  run(signal: AbortSignal): Promise<DispatchEnd>;
  /** A worker has started a visit. */
  started(token: number): void;
  /**
   * A visit has finished: its slot is free. Resolves when the next visit was dispatched, or there is none now: a worker
   * that ends its job after that takes the next one with the same call, instead of being woken for it.
   */
  finished(token: number): Promise<void>;
  /** Visits of workers have finished. Others are left alone. */
  finishedElsewhere(tokens: readonly number[]): Promise<void>;
  /** Something may be due sooner than the frontier said last. */
  notify(): void;
  /** Lease nothing more. */
  drain(): void;
  readonly visiting: number;
  /** Whose visits are under way. */
  visitingHosts(): readonly HostKey[];
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { frontier, clock, log } = options;
  const underway = new Map<number, UnderWay>();
  const crewOfHost = new LruMap<string, string>(REMEMBERED_HOSTS);
  const wake = createWake();
  const rhythm = createLeaseRhythm(clock);
  const grace = createLeaseGrace({ clock, log, leaseFor: options.leaseFor, askedEvery: REAP_EVERY });
  let draining = false;
  let nextLease: EpochMs = clock.now();
  let nextReap: EpochMs = clock.now();
  /** Calls of `finished` since the last lease; null where nothing is leased any more. */
  let finishing: (() => void)[] | null = [];

  async function run(signal: AbortSignal): Promise<DispatchEnd> {
    try {
      return await dispatch(signal);
    } finally {
      for (const resolve of finishing ?? []) resolve();
      finishing = null;
    }
  }

  async function dispatch(signal: AbortSignal): Promise<DispatchEnd> {
    // a visit that was out when it was said that nothing is queued may have been given back before it was asked who is out
    let seemsOver = false;
    for (;;) {
      signal.throwIfAborted();
      await reap();
      const end = underway.size === 0 ? endReached() : null;
      if (end !== null) return end;
      await rhythm.beat(countFree(options.crews()), countFree(freeSlots(options.crews(), crewsAtWork())), signal);
      const finished = finishing?.splice(0) ?? [];
      const reply = await leaseSome().finally(() => {
        for (const resolve of finished) resolve();
      });
      if (reply === null) {
        if (underway.size === 0 && countFree(options.crews()) === 0 && (await isNothingLeft())) return 'nothing-left';
        await sleepUntil(after(clock.now(), REAP_EVERY), signal);
        continue;
      }
      const isOver = reply.kind === 'nothing-queued' || reply.kind === 'circuits-open';
      if (isOver && underway.size === 0 && (await isNothingLeased()) && (await options.allHaveHeard())) {
        if (seemsOver) return reply.kind === 'circuits-open' ? 'hosts-given-up' : 'nothing-left';
        seemsOver = true;
        continue;
      }
      seemsOver = false;
      await pause(reply, signal);
    }
  }

  /** Where nobody is there who could make a visit, nothing is leased, and the frontier does not say so itself. */
  async function isNothingLeft(): Promise<boolean> {
    const { queued, withheld, queuedAgain } = await frontier.totals();
    return queued === withheld && queuedAgain === 0 && (await isNothingLeased());
  }

  async function isNothingLeased(): Promise<boolean> {
    const { leased, leasedAgain } = await frontier.totals();
    return leased + leasedAgain === 0;
  }

  function endReached(): DispatchEnd | null {
    if (draining) return 'drained';
    return options.budget() <= 0 ? 'budget-spent' : null;
  }

  /** @returns null where nothing may be leased now, whatever is queued */
  async function leaseSome(): Promise<LeaseReply | null> {
    const now = clock.now();
    const slots = options.crews();
    const crews = freeSlots(slots, crewsAtWork());
    const { egressOf } = options;
    const free = Math.min(countFree(crews), options.budget() - underway.size);
    if (draining || free <= 0) return null;
    if (options.leaseSpacing > 0 && now < nextLease) return { kind: 'nothing-due', nextDue: nextLease };
    const reply = await frontier.lease({
      now,
      count: options.leaseSpacing > 0 ? 1 : free,
      leaseFor: options.leaseFor,
      newHostDelay: options.newHostDelay,
      ...(egressOf === null ? {} : { egresses: placesByEgress(slots, crews, egressOf) }),
    });
    if (reply.kind !== 'leased') return reply;
    const visits = await neededOf(reply.visits);
    if (visits.length === 0) return reply;
    nextLease = after(now, options.leaseSpacing);
    await handOut(visits, crews);
    return reply;
  }

  function* crewsAtWork(): Iterable<string> {
    for (const { crew } of underway.values()) yield crew;
  }

  async function handOut(visits: readonly Visit[], free: FreeSlots): Promise<void> {
    const byCrew = new Map<string, Visit[]>();
    const place = ({ host, egress = '' }: Wanted): string => `${egress} ${host}`;
    const before = (visit: Wanted): string | null => crewOfHost.get(place(visit)) ?? null;
    const { egressOf } = options;
    const crews = assign(visits, { free, before, egressOf });
    for (const [index, visit] of visits.entries()) {
      const crew = crews[index] ?? OWN_CREW;
      const { token, host, leasedUntil } = visit;
      underway.set(token, { host, crew, startBy: crew === OWN_CREW ? leasedUntil : null });
      crewOfHost.set(place(visit), crew);
      byCrew.set(crew, [...(byCrew.get(crew) ?? []), visit]);
    }
    for (const [crew, some] of byCrew) await options.enqueue(crew, some);
  }

  async function neededOf(visits: readonly Visit[]): Promise<readonly Visit[]> {
    const left = await Promise.all(visits.map((visit) => options.leaveOut(visit)));
    return visits.filter((_, index) => left[index] === false);
  }

  async function pause(reply: LeaseReply, signal: AbortSignal): Promise<void> {
    switch (reply.kind) {
      case 'leased':
        return;
      case 'nothing-due':
        return sleepUntil(reply.nextDue, signal);
      case 'nothing-queued':
      case 'circuits-open':
        return sleepUntil(after(clock.now(), REAP_EVERY), signal);
    }
  }

  async function reap(): Promise<void> {
    const mayReap = grace.isOver();
    const now = clock.now();
    if (now < nextReap || !mayReap) return;
    nextReap = after(now, REAP_EVERY);
    const taken = await frontier.reap(now, after(now, options.newHostDelay));
    if (taken > 0) log.warn('leases ran out and were given back, no attempt is counted', { taken });
    for (const [token, { startBy }] of underway) if (startBy !== null && startBy < now) underway.delete(token);
    await compareWithLeases(now);
  }

  /** Finds the visits of workers that have ended without a word, and takes back what those have that left. */
  async function compareWithLeases(now: EpochMs): Promise<void> {
    const elsewhere = [...underway].filter(([, { crew }]) => crew !== OWN_CREW);
    if (elsewhere.length === 0) return;
    for (const [token, { crew }] of elsewhere) if (options.hasLeft(crew)) await frontier.release(token, now);
    const tokens = elsewhere.map(([token]) => token);
    const out = await frontier.outOf(tokens);
    await finishedElsewhere(tokens.filter((token) => !out.has(token)));
  }

  async function finishedElsewhere(tokens: readonly number[]): Promise<void> {
    const ours = tokens.filter((token) => (underway.get(token)?.crew ?? OWN_CREW) !== OWN_CREW);
    if (ours.length === 0) return;
    await options.beforeFinished();
    for (const token of ours) underway.delete(token);
    wake.notify();
  }

  /** Sleeps until then, or until a visit finishes; never longer than until the next reap. */
  async function sleepUntil(then: EpochMs, signal: AbortSignal): Promise<void> {
    const longest = milliseconds(Math.min(between(clock.now(), then), REAP_EVERY));
    using enough = linkedAbort(signal);
    const slept = clock.sleep(longest, enough.signal).catch(() => {});
    await Promise.race([slept, wake.wait(enough.signal)]);
    enough.abort(null);
    await slept;
  }

  return {
    run,
    started: (token) => {
      const visit = underway.get(token);
      if (visit !== undefined) underway.set(token, { ...visit, startBy: null });
    },
    finished: (token) => {
      underway.delete(token);
      wake.notify();
      return new Promise((resolve) => {
        if (finishing === null) resolve();
        else finishing.push(resolve);
      });
    },
    finishedElsewhere,
    notify: () => wake.notify(),
    drain: () => {
      draining = true;
      wake.notify();
    },
    get visiting() {
      return underway.size;
    },
    visitingHosts: () => [...underway.values()].map(({ host }) => host),
  };
}
