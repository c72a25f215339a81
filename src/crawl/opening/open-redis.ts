/** The Redis of a crawl: the user's, or one of our own in the crawl folder; and the fate of its state in the end. */
import type { Log } from '../../base/log.ts';
import { minutes } from '../../base/units.ts';
import type { CrawlFolder } from '../../crawl-folder/crawl-folder.ts';
import { diskError } from '../../crawl-folder/disk-error.ts';
import { connectRedis, userTarget, type RedisConnection } from '../../redis/connect.ts';
import { checkRedisFitness } from '../../redis/fitness.ts';
import { compactLog, packState, unpackState } from '../../redis/packed-state.ts';
import type { KeySpace } from '../../redis/key-space.ts';
import { startPrivateRedis } from '../../redis/private-server.ts';
import type { ContextParts } from './context-parts.ts';
import { forgetLost, forgetReplaced, forgetState, forgetUnbegun } from './forget-state.ts';
import type { CrawlPlan } from '../crawl-plan.ts';

/**
 * The fate of the state when the crawl's context is closed: it stays as it is (`left`), stays and takes little room (`packed`; in a
 * server of the user's it is left), or is removed. If it is `lost`, what came into a server of the user's after that is removed.
 */
export type StateFate = 'left' | 'packed' | 'removed' | 'lost';

/** A server that answers. */
export interface OpenedRedis {
  readonly client: RedisConnection['client'];
  readonly version: string;
  readonly lost: Promise<Error>;
  /**
   * Sets the fate of the state under these keys when everything else of the context is closed; until then it is `left`. Never rejects:
   * a state that cannot be packed or removed is left, and a note or the log says so.
   */
  readonly settle: (fate: StateFate, keys: KeySpace) => Promise<void>;
  /** Removes the state of a crawl that has been replaced. Never rejects; false where this server knows no such crawl. */
  readonly forgetReplaced: (keys: KeySpace, signal: AbortSignal) => Promise<boolean>;
  /** The same for a crawl that was killed before it began. */
  readonly forgetUnbegun: (keys: KeySpace, signal: AbortSignal) => Promise<boolean>;
}

/** The user's server; null where none was named. */
export async function connectShared(
  { options }: CrawlPlan,
  { disposal, clock, log, notes }: ContextParts,
  signal: AbortSignal,
): Promise<OpenedRedis | null> {
  if (options.redis === undefined) return null;
  const target = userTarget(options.redis, options.redisCluster);
  let forget: (() => Promise<void>) | null = null;
  const { client } = disposal.use(await connectRedis(target, log, signal));
  disposal.defer(async () => forget?.());
  for (const warning of await checkRedisFitness(client)) notes.say(warning);
  return {
    client,
    version: await redisVersion(client),
    lost: new Promise(() => {}),
    settle: async (fate, keys) => {
      const state = { client, keys, clock, log, notes };
      forget = null;
      if (fate === 'removed') forget = () => forgetState(state, NEVER);
      if (fate === 'lost') forget = () => forgetLost(state, NEVER);
    },
    forgetReplaced: (keys, stop) => forgetReplaced({ client, keys, clock, log, notes }, stop),
    forgetUnbegun: (keys, stop) => forgetUnbegun({ client, keys, clock, log, notes }, stop),
  };
}

const NEVER = new AbortController().signal;

/** A server of our own in the crawl folder. */
export async function startPrivate(
  folder: CrawlFolder,
  { environment, disposal, log }: ContextParts,
  signal: AbortSignal,
): Promise<OpenedRedis> {
  const stateFolder = await folder.stateFolder();
  await unpackState(stateFolder).catch((error: unknown) => {
    throw diskError(error, stateFolder);
  });
  let fate: StateFate = 'left';
  // when the server has ended, and the folder is still locked
  disposal.defer(() => endState(folder, stateFolder, fate, log));
  const server = disposal.use(await startPrivateRedis({ stateFolder, searchPath: environment.path, log }, signal));
  const connection = disposal.use(await connectRedis({ kind: 'socket', path: server.socketPath }, log, signal));
  const lost = server.lost.then(async (error) => {
    await connection[Symbol.asyncDispose](); // commands that wait for an answer are rejected
    return error;
  });
  const { client } = connection;
  return {
    client,
    version: await redisVersion(client),
    lost,
    settle: async (wanted) => {
      fate = wanted;
      if (fate === 'packed') await compact(client, log);
    },
    forgetReplaced: async () => false, // one in the folder was removed with it
    forgetUnbegun: async () => false,
  };
}

/** The longest that the server may take to shorten its files; then they are packed as they are. */
const COMPACT_TIME = minutes(1);

async function compact(client: RedisConnection['client'], log: Log): Promise<void> {
  const time = AbortSignal.timeout(COMPACT_TIME);
  await compactLog(client, time).catch((error: unknown) =>
    log.warn('the state was not shortened', { error: String(error) }),
  );
}

/** Packs or removes the state. A failure does not harm the crawl, which is over, and is logged. */
async function endState(folder: CrawlFolder, stateFolder: string, fate: StateFate, log: Log): Promise<void> {
  try {
    if (fate === 'removed') await folder.removeState();
    if (fate === 'packed') await packState(stateFolder);
  } catch (error) {
    log.warn(`the state was not ${fate}`, { error: String(error) });
  }
}

async function redisVersion(client: RedisConnection['client']): Promise<string> {
  return /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? 'unknown';
}
