/** The Redis of a crawl: the user's, or one of our own in the crawl folder. */
import { silentLog, type Log } from '../base/log.ts';
import type { CrawlFolder } from '../crawl-folder/crawl-folder.ts';
import { connectRedis, type RedisConnection, type RedisTarget } from '../redis/connect.ts';
import { checkRedisFitness } from '../redis/fitness.ts';
import { forgetKeys } from '../redis/forget-keys.ts';
import { startPrivateRedis } from '../redis/private-server.ts';
import type { ContextParts } from './context-parts.ts';
import type { CrawlPlan } from './crawl-plan.ts';

/** A server that answers, and what becomes of it in the end. */
interface OpenedRedis {
  readonly client: RedisConnection['client'];
  readonly version: string;
  readonly lost: Promise<Error>;
  /** Removes the crawl's keys from Redis; a private one goes as a whole. The crawl's context is closed then. */
  readonly forget: (prefix: string) => Promise<void>;
}

/** The user's server; null where none was named. */
export async function connectShared(
  { options }: CrawlPlan,
  { disposal, log, notes }: ContextParts,
  signal: AbortSignal,
): Promise<OpenedRedis | null> {
  if (options.redis === undefined) return null;
  const target = { kind: 'url', url: options.redis } as const;
  const { client } = disposal.use(await connectRedis(target, log, signal));
  for (const warning of await checkRedisFitness(client)) notes.say(warning);
  return {
    client,
    version: await redisVersion(client),
    lost: new Promise(() => {}),
    forget: (prefix) => forgetShared(target, prefix, log),
  };
}

/** The crawl has finished: that its keys could not be removed makes it no worse, and is said. */
async function forgetShared(target: RedisTarget, prefix: string, log: Log): Promise<void> {
  try {
    await using connection = await connectRedis(target, silentLog, new AbortController().signal);
    await forgetKeys(connection.client, prefix);
  } catch (error) {
    log.warn('keys of the finished crawl were left in Redis', { prefix, error: String(error) });
  }
}

/** A server of our own in the crawl folder. */
export async function startPrivate(
  folder: CrawlFolder,
  { environment, disposal, log }: ContextParts,
  signal: AbortSignal,
): Promise<OpenedRedis> {
  const stateFolder = await folder.stateFolder();
  const server = disposal.use(await startPrivateRedis({ stateFolder, searchPath: environment.path, log }, signal));
  const connection = disposal.use(await connectRedis({ kind: 'socket', path: server.socketPath }, log, signal));
  const lost = server.lost.then(async (error) => {
    await connection[Symbol.asyncDispose](); // what waits for an answer hears that none will come
    return error;
  });
  const { client } = connection;
  return { client, version: await redisVersion(client), lost, forget: () => folder.removeState() };
}

async function redisVersion(client: RedisConnection['client']): Promise<string> {
  return /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? 'unknown';
}
