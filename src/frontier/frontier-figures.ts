import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { FRONTIER_NAMESPACE } from './keys.ts';

/** Lengths of a frontier, for who watches a crawl. */
export interface FrontierFigures {
  /** Hosts that are due: a visit of them may begin. */
  readonly dueHosts: number;
  /** Hosts that are not due yet, and pages that wait for another try. */
  readonly waiting: number;
  readonly awaitingDns: number;
  readonly openCircuits: number;
  /** Entries that are not in the crawl folder yet. */
  readonly journal: number;
}

/** Costs five commands of constant time for each part of the crawl, in one question. @param spaces keys of each part */
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
