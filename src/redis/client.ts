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
