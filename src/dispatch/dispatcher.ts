/**
 * Leases as many visits as there are free slots, in this process and in workers, and dispatches those that are needed to the owners of the slots. It
 * makes no decisions about URLs: the frontier knows when one is due. It ends when nothing is queued or under way, when the budget is spent, or
 * after `drain()`.
 *
 * A visit of another process ends for the dispatcher when that process reports it, and at the latest when its lease is not out any more: reports
 * may be lost, so the leases decide.
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
  egressesNow,
  freeSlots,
  placesByEgress,
  type Crews,
  type EgressOf,
  type Wanted,
} from '../core/fleet/assignment.ts';
import type { Frontier, LeaseReply } from '../frontier/frontier.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { createLeaseGrace } from './lease-grace.ts';
import { createLeaseRhythm } from './lease-rhythm.ts';

/** Interval between two searches for expired leases; also the longest sleep, so that a changed clock is noticed. */
const REAP_EVERY = seconds(1);

/** Name of this process's crew. */
export const OWN_CREW = '';
/** Most hosts whose last visiting crew is remembered (arbitrary). */
const REMEMBERED_HOSTS = 20_000;

export interface DispatcherOptions {
  readonly frontier: Frontier;
  readonly clock: Clock;
  readonly log: Log;
  /** Most concurrent visits of each living crew: of this process (`OWN_CREW`), and of workers. */
  readonly crews: () => ReadonlyMap<string, number>;
  /** Egress address of a crew; null where politeness counts for all crews together. */
  readonly egressOf: EgressOf;
  /** Has a worker reported that it leaves, and makes no more visits? */
  readonly hasLeft: (crew: string) => boolean;
  /** Called before visits of workers count as finished, so that the budget includes them. */
  readonly beforeFinished: () => Promise<void>;
  /** Called when nothing is left to lease and no visit is under way: will no process queue more pages? Where false, it is called again. */
  readonly isNothingToCome: () => Promise<boolean>;
  readonly leaseFor: Milliseconds;
  /** As in LeaseRequest. */
  readonly newHostDelay: Milliseconds;
  /** Least time between two leases of all hosts; 0 for none. */
  readonly leaseSpacing: Milliseconds;
  /** Number of pages that may still be visited, not reduced by those under way. Infinity for no limit. */
  readonly budget: () => number;
  /** True where a lease needs no visit; then the lease has ended. */
  readonly leaveOut: (visit: Visit) => Promise<boolean>;
  /** Hands visits to a crew. */
  readonly enqueue: (crew: string, visits: readonly Visit[]) => Promise<void>;
}

export type DispatchEnd = 'nothing-left' | 'hosts-given-up' | 'budget-spent' | 'drained';

interface UnderWay {
  readonly host: HostKey;
  readonly crew: string;
  /** Time by which the visit must start; after that it never reached this process. Null for a worker's visit, and once it has started. */
  readonly startBy: EpochMs | null;
}

interface Dispatcher {
  /**
   * Runs until the end; every dispatched visit has finished then.
   * @throws errors of the frontier or the work queue: the crawl cannot go on without them
   */
  run(signal: AbortSignal): Promise<DispatchEnd>;
  /** Reports that a worker has started a visit. */
  started(token: number): void;
  /**
   * Reports that a visit has finished: its slot is free. Resolves when the next visit was dispatched, or there is none now: a worker
   * that ends its job after that gets the next one with the same call, instead of being woken for it.
   */
  finished(token: number): Promise<void>;
  /** Reports that visits of workers have finished. Other tokens are ignored. */
  finishedElsewhere(tokens: readonly number[]): Promise<void>;
  /** Reports that something may be due sooner than the frontier said last. */
  notify(): void;
  /** Leases nothing more. */
  drain(): void;
  readonly visiting: number;
  /** Hosts of the visits under way. */
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
  /** Calls of `finished` since the last lease; null once leasing has ended. */
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
    // a visit that was out when the frontier reported an empty queue may have been given back before the leases were read
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
      if (isOver && underway.size === 0 && (await isNothingLeased()) && (await options.isNothingToCome())) {
        if (seemsOver) return reply.kind === 'circuits-open' ? 'hosts-given-up' : 'nothing-left';
        seemsOver = true;
        continue;
      }
      seemsOver = false;
      await pause(reply, signal);
    }
  }

  /** Is nothing left? Used when no process can make a visit: then nothing is leased, and the frontier does not report the end itself. */
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

  /** @returns null where no lease is allowed now, whatever is queued */
  async function leaseSome(): Promise<LeaseReply | null> {
    const now = clock.now();
    const slots = options.crews();
    const crews = freeSlots(slots, crewsAtWork());
    const egressOf = egressesNow(slots, options.egressOf);
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
    await handOut(visits, { free: crews, egressOf });
    return reply;
  }

  function* crewsAtWork(): Iterable<string> {
    for (const { crew } of underway.values()) yield crew;
  }

  async function handOut(visits: readonly Visit[], crewsThen: Pick<Crews, 'free' | 'egressOf'>): Promise<void> {
    const byCrew = new Map<string, Visit[]>();
    const place = ({ host, egress = '' }: Wanted): string => `${egress} ${host}`;
    const before = (visit: Wanted): string | null => crewOfHost.get(place(visit)) ?? null;
    const crews = assign(visits, { ...crewsThen, before });
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

  /** Finds workers' visits that ended without a report, and takes back the leases of workers that have left. */
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

  /** Sleeps until a time or until a visit finishes; never longer than until the next reap. */
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
