/** Leases from the parts of a crawl as if from one frontier. */
import { after, epochMs, milliseconds, seconds, type Milliseconds } from '../../base/units.ts';
import { leaseShares } from '../../core/parts/lease-shares.ts';
import type { Visit } from '../../model/visit.ts';
import type { LeaseReply, LeaseRequest } from '../frontier.ts';
import { leaseVisits } from '../lease-visits.ts';
import type { NextHosts } from '../part-scripts.ts';
import { carryCredit, evenOut } from './exchange.ts';
import type { Part, Parts } from './part.ts';
import type { SharedAddresses } from './shared-addresses.ts';

/** Interval of carrying credit: a delay of this length does not harm the order of visits (arbitrary). */
const CARRY_EVERY: Milliseconds = milliseconds(200);
/** Every 16th lease goes to the part whose host has been due longest: no part starves. */
const FAIR = 16;
/** Time until the next request while a visit that must be alone is under way, or waits for the others to end. */
const ALONE: Milliseconds = seconds(1);

export class PartLeases {
  readonly #parts: Parts;
  readonly #addresses: SharedAddresses;
  #carriedAt = -Infinity;
  #leased = 0;

  constructor(parts: Parts, addresses: SharedAddresses) {
    this.#parts = parts;
    this.#addresses = addresses;
  }

  async lease(request: LeaseRequest): Promise<LeaseReply> {
    const { now, count } = request;
    const isTime = Math.abs(now - this.#carriedAt) >= CARRY_EVERY;
    if (isTime) await carryCredit(this.#parts);
    const args = { now, count, parts: this.#parts.count };
    const standings = await this.#parts.ask(({ leader, client, keys }) => leader.nextHosts(client, keys, args));
    if (isTime) await evenOut(this.#parts, standings);
    if (isTime) this.#carriedAt = now;
    const later: LeaseReply = { kind: 'nothing-due', nextDue: after(now, ALONE) };
    if (standings.some(({ isAlone }) => isAlone)) return later;
    const suspect = standings.findIndex(({ hasSuspect }) => hasSuspect);
    if (suspect === -1) return this.#leaseAmong(standings, request);
    if (standings.some(({ leased }) => leased > 0)) return later;
    return this.#leaseFrom(this.#parts.at(suspect), { ...request, count: 1 });
  }

  async #leaseAmong(standings: readonly NextHosts[], request: LeaseRequest): Promise<LeaseReply> {
    const visits: Visit[] = [];
    const take = async (part: Part, count: number, fair = false): Promise<LeaseReply> => {
      const reply = await this.#leaseFrom(part, { ...request, count }, fair);
      if (reply.kind === 'leased') visits.push(...reply.visits);
      return reply;
    };
    const isFair = Math.floor((this.#leased + request.count) / FAIR) > Math.floor(this.#leased / FAIR);
    const longest = isFair ? longestDue(standings) : null;
    if (longest !== null) await take(this.#parts.at(longest), 1, true);
    const shares = leaseShares(
      standings.map(({ priorities }) => priorities),
      request.count - visits.length,
    );
    let owed = shares.reduce((sum, share) => sum + share, 0);
    for (const [number, share] of shares.entries()) {
      if (share === 0) continue;
      owed -= share;
      // one after the other, because each must know of the visits before it; a share that others cannot use is for hosts with several slots
      await take(this.#parts.at(number), request.count - visits.length - owed);
    }
    if (visits.length === 0) {
      const replies: LeaseReply[] = [];
      for (const part of this.#parts.all) {
        replies.push(await take(part, 1));
        if (visits.length > 0) break;
      }
      if (visits.length === 0) return replies.reduce(sooner);
    }
    this.#leased += visits.length;
    return { kind: 'leased', visits };
  }

  async #leaseFrom(part: Part, request: LeaseRequest, fair = false): Promise<LeaseReply> {
    const { reply, addresses } = await leaseVisits(part, request, fair);
    if (reply.kind !== 'leased') return reply;
    await this.#addresses.tellOthers(part, addresses);
    const visits = reply.visits.map((visit) => ({ ...visit, token: this.#parts.token(part, visit.token) }));
    return { kind: 'leased', visits };
  }
}

/** The part whose host has been due longest. */
function longestDue(standings: readonly NextHosts[]): number | null {
  let found: number | null = null;
  for (const [part, { dueSince }] of standings.entries()) {
    const best = found === null ? null : (standings[found]?.dueSince ?? null);
    if (dueSince !== null && (best === null || dueSince < best)) found = part;
  }
  return found;
}

/** Combines the replies of two parts that both leased nothing. */
function sooner(one: LeaseReply, other: LeaseReply): LeaseReply {
  if (one.kind === 'nothing-due' && other.kind === 'nothing-due')
    return { kind: 'nothing-due', nextDue: epochMs(Math.min(one.nextDue, other.nextDue)) };
  for (const kind of ['nothing-due', 'circuits-open'] as const)
    for (const reply of [one, other]) if (reply.kind === kind) return reply;
  return one;
}
