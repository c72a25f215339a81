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
import { after, between, milliseconds, seconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { createWake } from '../base/wake.ts';
import { countFree, egressesNow, freeSlots, placesByEgress, type EgressOf } from '../core/fleet/assignment.ts';
import type { Frontier, LeaseReply } from '../frontier/frontier.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { createLeaseGrace, type LeaseGrace } from './lease-grace.ts';
import { createLeaseRhythm, type LeaseRhythm } from './lease-rhythm.ts';
import { VisitsUnderWay } from './visits-under-way.ts';

/** Interval between two searches for expired leases; also the longest sleep, so that a changed clock is noticed. */
const REAP_EVERY = seconds(1);

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

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #underWay = new VisitsUnderWay();
  readonly #wake = createWake();
  readonly #rhythm: LeaseRhythm;
  readonly #grace: LeaseGrace;
  #draining = false;
  #nextLease: EpochMs;
  #nextReap: EpochMs;
  /** Calls of `finished` since the last lease; null once leasing has ended. */
  #finishing: (() => void)[] | null = [];

  constructor(options: DispatcherOptions) {
    const { clock, log, leaseFor } = options;
    this.#options = options;
    this.#rhythm = createLeaseRhythm(clock);
    this.#grace = createLeaseGrace({ clock, log, leaseFor, askedEvery: REAP_EVERY });
    this.#nextLease = clock.now();
    this.#nextReap = clock.now();
  }

  /** Number of visits under way. */
  get visiting(): number {
    return this.#underWay.count;
  }

  /** Hosts of the visits under way. */
  visitingHosts(): readonly HostKey[] {
    return this.#underWay.hosts();
  }

  /**
   * Runs until the end; every dispatched visit has finished then.
   * @throws errors of the frontier or the work queue: the crawl cannot go on without them
   */
  async run(signal: AbortSignal): Promise<DispatchEnd> {
    try {
      return await this.#dispatch(signal);
    } finally {
      for (const resolve of this.#finishing ?? []) resolve();
      this.#finishing = null;
    }
  }

  /** Reports that a worker has started a visit. */
  started(token: number): void {
    this.#underWay.started(token);
  }

  /**
   * Reports that a visit has finished: its slot is free. Resolves when the next visit was dispatched, or there is none now: a worker
   * that ends its job after that gets the next one with the same call, instead of being woken for it.
   */
  finished(token: number): Promise<void> {
    this.#underWay.finished(token);
    this.#wake.notify();
    return new Promise((resolve) => {
      if (this.#finishing === null) resolve();
      else this.#finishing.push(resolve);
    });
  }

  /** Reports that visits of workers have finished. Other tokens are ignored. */
  async finishedElsewhere(tokens: readonly number[]): Promise<void> {
    const ours = tokens.filter((token) => this.#underWay.isElsewhere(token));
    if (ours.length === 0) return;
    await this.#options.beforeFinished();
    for (const token of ours) this.#underWay.finished(token);
    this.#wake.notify();
  }

  /** Reports that something may be due sooner than the frontier said last. */
  notify(): void {
    this.#wake.notify();
  }

  /** Leases nothing more. */
  drain(): void {
    this.#draining = true;
    this.#wake.notify();
  }

  async #dispatch(signal: AbortSignal): Promise<DispatchEnd> {
    const { clock, crews } = this.#options;
    // a visit that was out when the frontier reported an empty queue may have been given back before the leases were read
    let seemsOver = false;
    for (;;) {
      signal.throwIfAborted();
      await this.#reap();
      const end = this.visiting === 0 ? this.#endReached() : null;
      if (end !== null) return end;
      await this.#rhythm.beat(countFree(crews()), countFree(this.#freeSlots()), signal);
      const reply = await this.#leaseForFinished();
      if (reply === null) {
        if (this.visiting === 0 && countFree(crews()) === 0 && (await this.#isNothingLeft())) return 'nothing-left';
        await this.#sleepUntil(after(clock.now(), REAP_EVERY), signal);
        continue;
      }
      const isOver = reply.kind === 'nothing-queued' || reply.kind === 'circuits-open';
      if (isOver && this.visiting === 0 && (await this.#isNothingLeased()) && (await this.#options.isNothingToCome())) {
        if (seemsOver) return reply.kind === 'circuits-open' ? 'hosts-given-up' : 'nothing-left';
        seemsOver = true;
        continue;
      }
      seemsOver = false;
      await this.#pause(reply, signal);
    }
  }

  #endReached(): DispatchEnd | null {
    if (this.#draining) return 'drained';
    return this.#options.budget() <= 0 ? 'budget-spent' : null;
  }

  /** Is nothing left? Used when no process can make a visit: then nothing is leased, and the frontier does not report the end itself. */
  async #isNothingLeft(): Promise<boolean> {
    const { queued, withheld, queuedAgain } = await this.#options.frontier.totals();
    return queued === withheld && queuedAgain === 0 && (await this.#isNothingLeased());
  }

  async #isNothingLeased(): Promise<boolean> {
    const { leased, leasedAgain } = await this.#options.frontier.totals();
    return leased + leasedAgain === 0;
  }

  /** Leases, and then resolves the calls of `finished` that came before it. */
  async #leaseForFinished(): Promise<LeaseReply | null> {
    const finished = this.#finishing?.splice(0) ?? [];
    try {
      return await this.#lease();
    } finally {
      for (const resolve of finished) resolve();
    }
  }

  /** @returns null where no lease is allowed now, whatever is queued */
  async #lease(): Promise<LeaseReply | null> {
    const { frontier, clock, leaseFor, newHostDelay, leaseSpacing, budget } = this.#options;
    const now = clock.now();
    const slots = this.#options.crews();
    const crews = this.#freeSlots();
    const egressOf = egressesNow(slots, this.#options.egressOf);
    const free = Math.min(countFree(crews), budget() - this.visiting);
    if (this.#draining || free <= 0) return null;
    if (leaseSpacing > 0 && now < this.#nextLease) return { kind: 'nothing-due', nextDue: this.#nextLease };
    const count = leaseSpacing > 0 ? 1 : free;
    const egresses = egressOf === null ? {} : { egresses: placesByEgress(slots, crews, egressOf) };
    const reply = await frontier.lease({ now, count, leaseFor, newHostDelay, ...egresses });
    if (reply.kind !== 'leased') return reply;
    const visits = await this.#neededOf(reply.visits);
    if (visits.length === 0) return reply;
    this.#nextLease = after(now, leaseSpacing);
    const byCrew = this.#underWay.assign(visits, { free: crews, egressOf });
    for (const [crew, some] of byCrew) await this.#options.enqueue(crew, some);
    return reply;
  }

  #freeSlots(): ReadonlyMap<string, number> {
    return freeSlots(this.#options.crews(), this.#underWay.crews());
  }

  async #neededOf(visits: readonly Visit[]): Promise<readonly Visit[]> {
    const left = await Promise.all(visits.map((visit) => this.#options.leaveOut(visit)));
    return visits.filter((_, index) => left[index] === false);
  }

  async #pause(reply: LeaseReply, signal: AbortSignal): Promise<void> {
    switch (reply.kind) {
      case 'leased':
        return;
      case 'nothing-due':
        return this.#sleepUntil(reply.nextDue, signal);
      case 'nothing-queued':
      case 'circuits-open':
        return this.#sleepUntil(after(this.#options.clock.now(), REAP_EVERY), signal);
    }
  }

  async #reap(): Promise<void> {
    const { frontier, clock, log, newHostDelay } = this.#options;
    const mayReap = this.#grace.isOver();
    const now = clock.now();
    if (now < this.#nextReap || !mayReap) return;
    this.#nextReap = after(now, REAP_EVERY);
    const taken = await frontier.reap(now, after(now, newHostDelay));
    if (taken > 0) log.warn('leases ran out and were given back, no attempt is counted', { taken });
    this.#underWay.forgetUnstarted(now);
    await this.#compareWithLeases(now);
  }

  /** Finds workers' visits that ended without a report, and takes back the leases of workers that have left. */
  async #compareWithLeases(now: EpochMs): Promise<void> {
    const { frontier, hasLeft } = this.#options;
    const elsewhere = this.#underWay.elsewhere();
    if (elsewhere.length === 0) return;
    for (const { token, crew } of elsewhere) if (hasLeft(crew)) await frontier.release(token, now);
    const tokens = elsewhere.map(({ token }) => token);
    const out = await frontier.outOf(tokens);
    await this.finishedElsewhere(tokens.filter((token) => !out.has(token)));
  }

  /** Sleeps until a time or until a visit finishes; never longer than until the next reap. */
  async #sleepUntil(then: EpochMs, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const longest = milliseconds(Math.min(between(clock.now(), then), REAP_EVERY));
    using enough = linkedAbort(signal);
    const slept = clock.sleep(longest, enough.signal).catch(() => {});
    await Promise.race([slept, this.#wake.wait(enough.signal)]);
    enough.abort(null);
    await slept;
  }
}
