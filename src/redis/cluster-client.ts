/** The client of a Redis Cluster: asks a node which others there are, and sends each command where its key is, also after that has moved or a replica took over. */
import { Cluster, type RedisOptions } from 'ioredis';
import { CrawlError } from '../base/errors.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';

/** Between two attempts of a command whose node is gone, or whose slot is on its way (arbitrary). */
const TRY_AGAIN: Milliseconds = milliseconds(100);
/** Right after a failover two nodes may name each other for a moment (arbitrary). */
const MOVED_PAUSE: Milliseconds = milliseconds(20);
/** Between two looks which node has which slots (arbitrary). */
const LOOK_EVERY: Milliseconds = seconds(2);
/** A command waits for its node as one of a single server does: until it is there again, or the connection is closed. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * @param url of any node that answers; user, password and TLS are taken for all
 * @param retryStrategy pause before the next attempt to reach the cluster, when no node answers; null ends it
 * @throws {CrawlError} REDIS_UNFIT where the URL names a database, which a cluster does not have
 */
export function clusterClient(
  url: URL,
  nodeOptions: Pick<RedisOptions, 'maxRetriesPerRequest' | 'enableReadyCheck' | 'reconnectOnError'>,
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
