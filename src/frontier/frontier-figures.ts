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

/** Costs five commands of constant time, in one question. */
export async function frontierFigures(client: RedisClient, keys: KeySpace): Promise<FrontierFigures> {
  const key = (name: string): string => keys.key(FRONTIER_NAMESPACE, name);
  const [dueHosts, scheduled, awaitingDns, openCircuits, journal] = await Promise.all([
    client.zcard(key('ready')),
    client.zcard(key('due')),
    client.zcard(key('awaiting-dns')),
    client.zcard(key('open-circuits')),
    client.llen(key('journal')),
  ]);
  return { dueHosts, waiting: Math.max(0, scheduled - dueHosts), awaitingDns, openCircuits, journal };
}
