/** A connection to one Redis server, or to a cluster of several: the same commands, as long as all keys of one have the same hash tag. */
import { Cluster, type Redis } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** Each server that may come to hold a crawl, replicas included; for commands that name no key. */
export function serversOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('all') : [client];
}

/** Each server that keys are written to. */
export function mastersOf(client: RedisClient): readonly Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}
