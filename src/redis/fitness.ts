import { Cluster, type Redis } from 'ioredis';
import { CrawlError } from '../base/errors.ts';
import { serversOf, type RedisClient } from './client.ts';

/** Oldest supported version: functions came with 7.0 (lua-library.ts). */
const OLDEST: readonly [number, number] = [7, 0];

/** Limits of packed forms that the memory figures assume, by either of their names. */
const PACKED_LIMITS = [
  { names: ['set-max-intset-entries'], least: 16384 },
  { names: ['zset-max-listpack-entries', 'zset-max-ziplist-entries'], least: 128 },
  { names: ['zset-max-listpack-value', 'zset-max-ziplist-value'], least: 1024 },
  { names: ['hash-max-listpack-entries', 'hash-max-ziplist-entries'], least: 512 },
  { names: ['hash-max-listpack-value', 'hash-max-ziplist-value'], least: 1024 },
] as const;

/**
 * Checks whether a server, or each server of a cluster, can hold a crawl.
 * @returns warnings in whole sentences about limits under which a crawl still works; empty where there are none
 * @throws {CrawlError} REDIS_UNFIT where it is too old, would evict keys, or lets its user do too little
 */
export async function checkRedisFitness(client: RedisClient): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const server of serversOf(client)) warnings.push(...(await checkServer(server, client instanceof Cluster)));
  return [...new Set(warnings)];
}

async function checkServer(client: Redis, isOfCluster: boolean): Promise<readonly string[]> {
  const info = await client.info('server').catch(refuseUser);
  requireVersion(info);
  if (!isOfCluster) requireSingle(info);
  const config = await readConfig(client);
  if (config === null) {
    return ['The Redis server does not show its settings (CONFIG GET): make sure that maxmemory-policy is noeviction.'];
  }
  requireNoEviction(config);
  return PACKED_LIMITS.flatMap(({ names, least }) => {
    const name = names.find((candidate) => config.has(candidate));
    const value = name === undefined ? undefined : Number(config.get(name));
    if (name === undefined || value === undefined || value >= least) return [];
    return [
      `The Redis server packs less than it could, a crawl takes more memory: CONFIG SET ${name} ${least} (it is ${value}).`,
    ];
  });
}

/** @throws {CrawlError} REDIS_UNFIT for a user without the permission */
function refuseUser(error: unknown): never {
  if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) throw error;
  throw new CrawlError(
    'REDIS_UNFIT',
    `The Redis server does not let its user do what a crawl needs: ${error.message}.\nGive it more: ACL SETUSER <user> ~* &* +@all -@dangerous +info`,
    { cause: error },
  );
}

function requireVersion(info: string): void {
  const version = /^redis_version:(\d+)\.(\d+)/m.exec(info);
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new CrawlError(
    'REDIS_UNFIT',
    `The Redis server has version ${major}.${minor}; ${OLDEST.join('.')} or later is needed.\nUpgrade it, or leave --redis away to use a private one.`,
    { data: { version: `${major}.${minor}` } },
  );
}

/** Rejects a node of a cluster: it holds the keys of some crawls only. */
function requireSingle(info: string): void {
  if (/^redis_mode:(\w+)/m.exec(info)?.[1] !== 'cluster') return;
  throw new CrawlError(
    'REDIS_UNFIT',
    'The Redis server is a node of a Redis Cluster: it has a part of the keys only.\nGive --redis-cluster, too.',
  );
}

/** Rejects eviction: a server that evicts keys would forget visited URLs, or whole queues. */
function requireNoEviction(config: ReadonlyMap<string, string>): void {
  const policy = config.get('maxmemory-policy') ?? 'noeviction';
  if (policy === 'noeviction' || Number(config.get('maxmemory') ?? 0) === 0) return;
  throw new CrawlError(
    'REDIS_UNFIT',
    `The Redis server would evict keys when its memory is full (maxmemory-policy ${policy}).\nSay to it: CONFIG SET maxmemory-policy noeviction`,
    { data: { policy } },
  );
}

/** The server's settings; null where it forbids CONFIG, as managed servers do. */
async function readConfig(client: Redis): Promise<ReadonlyMap<string, string> | null> {
  try {
    const config = new Map<string, string>();
    for (const pattern of ['maxmemory*', '*-max-*']) {
      const reply: unknown = await client.config('GET', pattern);
      if (!Array.isArray(reply)) return null;
      for (let index = 0; index + 1 < reply.length; index += 2)
        config.set(String(reply[index]), String(reply[index + 1]));
    }
    return config;
  } catch {
    return null;
  }
}
