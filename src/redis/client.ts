/** A connection to one Redis server, or to a cluster: the same commands, if all keys of a command have the same hash tag. */
import { Cluster, type Redis } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** Each server that may hold a crawl at some time, including replicas; for commands without a key. */
export function serversOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('all') : [client];
}

/** Each server that accepts writes. */
export function mastersOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

/** Number of the database that holds the keys; null for a cluster, which has one only. */
export function databaseOf(client: RedisClient): number | null {
  return client instanceof Cluster ? null : (client.options.db ?? 0);
}
