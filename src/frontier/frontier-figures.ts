import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { FRONTIER_NAMESPACE } from './keys.ts';

/** Sizes of a frontier's queues, for monitoring a crawl. */
export interface FrontierFigures {
  /** Hosts that are due: a visit may begin. */
  readonly dueHosts: number;
  /** Hosts not due yet, and pages that wait for another try. */
  readonly waiting: number;
  readonly awaitingDns: number;
  readonly openCircuits: number;
  /** Journal entries not yet in the crawl folder. */
  readonly journal: number;
}

/** Costs five commands of constant time per part of the crawl, sent together. @param spaces keys of each part */
export async function frontierFigures(client: RedisClient, spaces: readonly KeySpace[]): Promise<FrontierFigures> {
  const sum = async (count: (space: KeySpace) => Promise<number>): Promise<number> =>
    (await Promise.all(spaces.map(count))).reduce((all, each) => all + each, 0);
  const [dueHosts, scheduled, awaitingDns, openCircuits, journal] = await Promise.all([
    ...['ready', 'due', 'awaiting-dns', 'open-circuits'].map((name) =>
      sum((space) => client.zcard(space.key(FRONTIER_NAMESPACE, name))),
    ),
    sum((space) => client.llen(space.key(FRONTIER_NAMESPACE, 'journal'))),
  ]);
  return {
    dueHosts: dueHosts ?? 0,
    waiting: Math.max(0, (scheduled ?? 0) - (dueHosts ?? 0)),
    awaitingDns: awaitingDns ?? 0,
    openCircuits: openCircuits ?? 0,
    journal: journal ?? 0,
  };
}
