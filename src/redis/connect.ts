import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { seldom } from '../base/seldom.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { gatherWrites } from './gathered-writes.ts';
import { hangUp } from './hang-up.ts';
import type { RedisClient } from './client.ts';
import { connectFailure } from './connect-failure.ts';
import { clusterClient } from './cluster-client.ts';

export type RedisTarget =
  | { readonly kind: 'socket'; readonly path: string }
  /** redis:// or rediss://; may contain a password, which is never shown. */
  | { readonly kind: 'url'; readonly url: string }
  /** The URL of one node of a Redis Cluster, which names the other nodes. */
  | { readonly kind: 'cluster'; readonly url: string };

/** @param url of the user's server, or of a node of the user's cluster */
export function userTarget(url: string, isCluster: boolean): RedisTarget {
  return { kind: isCluster ? 'cluster' : 'url', url };
}

/** A connection; its owner disposes of it. */
export interface RedisConnection<Client extends RedisClient = RedisClient> extends AsyncDisposable {
  readonly client: Client;
}

/** Longest wait for the first answer (arbitrary; a server on another continent answers in half a second). */
const FIRST_ANSWER: Milliseconds = seconds(10);
/** First and longest pause between attempts to connect again (arbitrary). */
const RECONNECT_PAUSE: Milliseconds = milliseconds(50);
const LONGEST_RECONNECT_PAUSE: Milliseconds = seconds(2);
/** Longest wait for the server when the connection is closed. */
const GOODBYE: Milliseconds = seconds(1);
/**
 * Longest wait for an answer before the connection is taken for dead: a router that has forgotten it drops all that is sent, and TCP alone notices
 * after a quarter of an hour. Longer than any script of ours takes, and than any wait that a command asks for.
 */
const LONGEST_SILENCE: Milliseconds = seconds(30);
/** Shortest interval between two warnings of a broken connection. */
const ERROR_PAUSE: Milliseconds = seconds(10);

/**
 * Connects, and waits until the server answers and has loaded its data. A connection that breaks, or leaves commands without an answer, is made
 * anew, and its commands are sent again.
 * @param longestSilence of a server that commands wait for
 * @throws {CrawlError} REDIS_UNREACHABLE; the signal's reason where it aborts first
 */
export async function connectRedis(
  target: RedisTarget,
  log: Log,
  signal: AbortSignal,
  longestSilence: Milliseconds = LONGEST_SILENCE,
): Promise<RedisConnection> {
  signal.throwIfAborted();
  const state = { closing: false };
  const client = newClient(target, state, longestSilence);
  gatherWrites(client);
  sayErrors(client, targetName(target), log);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(FIRST_ANSWER)]);
  try {
    await connected(client, limited);
    await loaded(client, limited);
  } catch (cause) {
    hangUp(client);
    signal.throwIfAborted();
    const name = targetName(target);
    const isSecure = target.kind !== 'socket' && parsedUrl(target.url)?.protocol === 'rediss:';
    const { what, cure, isRefusal } = connectFailure(cause, isSecure);
    throw new CrawlError('REDIS_UNREACHABLE', `The Redis server at ${name} ${what}\n${cure}`, {
      cause,
      data: { target: name, isRefusal },
    });
  }
  return { client, [Symbol.asyncDispose]: () => close(client, state) };
}

/** The target for display: without user, password and parameters. */
function targetName(target: RedisTarget): string {
  if (target.kind === 'socket') return target.path;
  const url = parsedUrl(target.url);
  return url === null ? 'the given URL' : `${url.protocol}//${url.host}${url.pathname}`;
}

function newClient(
  target: RedisTarget,
  state: { readonly closing: boolean },
  longestSilence: Milliseconds,
): RedisClient {
  const options = {
    socketTimeout: longestSilence,
    // A blocking command of a worker must outlive a restart of the server (BullMQ asks for it).
    maxRetriesPerRequest: null,
    // The client's own ready check sleeps a second while the server loads its data.
    enableReadyCheck: false,
    // A restarted server answers LOADING until its data is loaded: reconnect and send the command again (2).
    reconnectOnError: (error: Error): 2 | false => (error.message.startsWith('LOADING') ? 2 : false),
  };
  const retryStrategy = (attempt: number): number | null =>
    state.closing ? null : Math.min(RECONNECT_PAUSE * 2 ** Math.min(attempt, 10), LONGEST_RECONNECT_PAUSE);
  const whole = { ...options, lazyConnect: true, retryStrategy };
  if (target.kind === 'socket') return new Redis({ ...whole, path: target.path });
  const url = serverUrl(target.url);
  return target.kind === 'cluster' ? clusterClient(url, options, retryStrategy) : new Redis(target.url, whole);
}

/** @throws {CrawlError} REDIS_UNREACHABLE where the client would take the URL for that of another server, or another database */
function serverUrl(text: string): URL {
  const url = parsedUrl(text);
  const wrong = url === null ? 'cannot be read' : whyWrong(url);
  if (url !== null && wrong === null) return url;
  const form = 'Write it like redis://<user>:<password>@host:6379/0: the last is the number of a database';
  throw new CrawlError('REDIS_UNREACHABLE', `The URL of the Redis server ${wrong}.\n${form}.`);
}

/** What is wrong with a URL, without its secrets; null where nothing is. */
function whyWrong({ hostname, pathname, username, password }: URL): string | null {
  if (hostname === '') return 'names no host, and the path of a socket is not taken';
  if (!/^\/?\d{0,9}$/.test(pathname)) return `names the database ${pathname.slice(1, 40)}, and databases have numbers`;
  return [username, password].every(isEncoded) ? null : 'has a % in its user or password, which is written %25';
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Logs connection errors. They do not end the crawl: the client reconnects. */
function sayErrors(client: RedisClient, target: string, log: Log): void {
  const say = seldom(ERROR_PAUSE, (error: Error) =>
    log.warn('redis connection broken', { target, error: error.message }),
  );
  client.on('error', say);
  client.on('node error', say); // from one node of a cluster
}

/** Rejects at the first failure: a user who names a wrong server should not have to wait. */
async function connected(client: RedisClient, signal: AbortSignal): Promise<void> {
  await untilAborted(
    new Promise<void>((resolve, reject) => {
      client.once('error', (error: Error) => reject(causeOf(error)));
      client.connect().then(resolve, reject);
    }),
    signal,
  );
}

/** A cluster's error only says that it knows no slots; its last node's error has the cause. */
function causeOf(error: Error): Error {
  return 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
}

async function loaded(client: RedisClient, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await untilAborted(client.ping(), signal);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('LOADING')) throw error;
      await untilAborted(wait(20), signal);
    }
  }
}

/**
 * Ends the connection; commands that still wait for an answer are rejected. ioredis does not reject them on a disconnect between two
 * attempts to reconnect; so the next attempt is awaited, and is the last.
 */
async function close(client: RedisClient, state: { closing: boolean }): Promise<void> {
  state.closing = true;
  if (client.status === 'reconnecting') {
    await new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.once('connect', () => resolve());
    });
  }
  if (client.status === 'ready') {
    // A lost or hanging server gets no QUIT.
    await Promise.race([client.quit().catch(() => {}), wait(GOODBYE, undefined, { ref: false })]);
  }
  hangUp(client);
}
