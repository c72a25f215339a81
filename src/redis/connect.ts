import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CrawlError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { hangUp } from './hang-up.ts';

export type RedisTarget =
  | { readonly kind: 'socket'; readonly path: string }
  /** redis:// or rediss://; may hold a password, which is never shown. */
  | { readonly kind: 'url'; readonly url: string };

/** A connection; its owner disposes of it. */
export interface RedisConnection extends AsyncDisposable {
  readonly client: Redis;
}

/** How long the first answer may take (arbitrary; a server on another continent answers in half a second). */
const FIRST_ANSWER: Milliseconds = seconds(10);
/** First and longest pause between attempts to connect again (arbitrary). */
const RECONNECT_PAUSE: Milliseconds = milliseconds(50);
const LONGEST_RECONNECT_PAUSE: Milliseconds = seconds(2);
/** How long a server is waited for when the connection is closed. */
const GOODBYE: Milliseconds = seconds(1);
/** A broken connection says so at most this often. */
const ERROR_PAUSE: Milliseconds = seconds(10);

/**
 * Connects, and waits until the server answers and has loaded its data.
 * @throws {CrawlError} REDIS_UNREACHABLE; the signal's reason where that comes first
 */
export async function connectRedis(target: RedisTarget, log: Log, signal: AbortSignal): Promise<RedisConnection> {
  signal.throwIfAborted();
  const state = { closing: false };
  const client = newClient(target, log, state);
  const patience = AbortSignal.any([signal, AbortSignal.timeout(FIRST_ANSWER)]);
  try {
    await connected(client, patience);
    await loaded(client, patience);
  } catch (cause) {
    hangUp(client);
    signal.throwIfAborted();
    throw new CrawlError(
      'REDIS_UNREACHABLE',
      `The Redis server at ${targetName(target)} does not answer: ${cause instanceof Error ? cause.message : 'unknown'}.
Start it, or leave --redis away to use a private one.`,
      { cause, data: { target: targetName(target) } },
    );
  }
  return { client, [Symbol.asyncDispose]: () => close(client, state) };
}

/** The target as it may be shown: without user, password and parameters. */
function targetName(target: RedisTarget): string {
  if (target.kind === 'socket') return target.path;
  const url = parsedUrl(target.url);
  return url === null ? 'the given URL' : `${url.protocol}//${url.host}${url.pathname}`;
}

function newClient(target: RedisTarget, log: Log, state: { readonly closing: boolean }): Redis {
  const options = {
    lazyConnect: true,
    // A blocking command of a worker must outlive a restart of the server (BullMQ asks for it).
    maxRetriesPerRequest: null,
    // Its own check sleeps a second while the server loads its data.
    enableReadyCheck: false,
    // A server that was started again says LOADING until its data is there: the command is sent once more (2).
    reconnectOnError: (error: Error) => (error.message.startsWith('LOADING') ? 2 : false),
    retryStrategy: (attempt: number): number | null =>
      state.closing ? null : Math.min(RECONNECT_PAUSE * 2 ** Math.min(attempt, 10), LONGEST_RECONNECT_PAUSE),
  };
  if (target.kind === 'url' && parsedUrl(target.url) === null) {
    throw new CrawlError(
      'REDIS_UNREACHABLE',
      'The URL of the Redis server cannot be read.\nWrite it like redis://host:6379.',
    );
  }
  const client =
    target.kind === 'socket' ? new Redis({ ...options, path: target.path }) : new Redis(target.url, options);
  let lastSaid = -Infinity;
  client.on('error', (error: Error) => {
    if (performance.now() - lastSaid < ERROR_PAUSE) return;
    lastSaid = performance.now();
    log.warn('redis connection broken', { target: targetName(target), error: error.message });
  });
  return client;
}

/** The first failure ends the first connecting: a user who names a server that is not there should not have to wait. */
async function connected(client: Redis, signal: AbortSignal): Promise<void> {
  await untilAborted(
    new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.connect().then(resolve, reject);
    }),
    signal,
  );
}

async function loaded(client: Redis, signal: AbortSignal): Promise<void> {
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
 * Ends the connection; commands that still wait for an answer are rejected. ioredis forgets to do that on a disconnect between two
 * attempts to connect again; so the next attempt is awaited, and is the last.
 */
async function close(client: Redis, state: { closing: boolean }): Promise<void> {
  state.closing = true;
  if (client.status === 'reconnecting') {
    await new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.once('connect', () => resolve());
    });
  }
  if (client.status === 'ready') {
    // A server that is gone or hangs needs no goodbye.
    await Promise.race([client.quit().catch(() => {}), wait(GOODBYE, undefined, { ref: false })]);
  }
  hangUp(client);
}
