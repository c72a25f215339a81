/** The client of a Redis Cluster: discovers all nodes from one, and sends each command to its key's node, even after a move or a failover. */
import { Cluster, type RedisOptions } from 'ioredis';
import { CrawlError } from '../base/errors.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';

/** Pause between two attempts of a command whose node is gone, or whose slot is being moved (arbitrary). */
const TRY_AGAIN: Milliseconds = milliseconds(100);
/** Pause after a MOVED reply: right after a failover two nodes may name each other for a moment (arbitrary). */
const MOVED_PAUSE: Milliseconds = milliseconds(20);
/** Interval of refreshing the map from slots to nodes (arbitrary). */
const LOOK_EVERY: Milliseconds = seconds(2);
/** No limit of redirections: a command waits until its node is back or the connection is closed, as with a single server. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * @param url of any reachable node; user, password and TLS are used for all
 * @param retryStrategy pause before the next attempt to reach the cluster, when no node answers; null ends the attempts
 * @throws {CrawlError} REDIS_UNFIT where the URL names a database; a cluster has none
 */
export function clusterClient(
  url: URL,
  nodeOptions: Pick<RedisOptions, 'maxRetriesPerRequest' | 'enableReadyCheck' | 'reconnectOnError' | 'socketTimeout'>,
  retryStrategy: (attempt: number) => number | null,
): Cluster {
  if (!['', '/', '/0'].includes(url.pathname)) {
    throw new CrawlError(
      'REDIS_UNFIT',
      `A Redis Cluster has one database only, and the URL names ${url.pathname.slice(0, 20)}.\nLeave the number away.`,
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const tls = url.protocol === 'rediss:' ? { tls: {} } : {};
  const user = url.username === '' ? {} : { username: decodeURIComponent(url.username) };
  const password = url.password === '' ? {} : { password: decodeURIComponent(url.password) };
  return new Cluster([{ host, port: url.port === '' ? 6379 : Number(url.port) }], {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    maxRedirections: ANY_NUMBER,
    retryDelayOnFailover: TRY_AGAIN,
    retryDelayOnClusterDown: TRY_AGAIN,
    retryDelayOnTryAgain: TRY_AGAIN,
    retryDelayOnMoved: MOVED_PAUSE,
    slotsRefreshInterval: LOOK_EVERY,
    redisOptions: { ...nodeOptions, ...tls, ...user, ...password },
  });
}
