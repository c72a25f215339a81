import type { Redis } from 'ioredis';
import { mastersOf, type RedisClient } from './client.ts';

/** Keys scanned per call, so that a busy server answers others in between (arbitrary). */
const SCAN_COUNT = 1000;

/**
 * Deletes all keys with a prefix, whatever else the server holds. Keys made meanwhile may remain.
 * @param prefix taken literally: pattern characters are escaped
 * @returns number of deleted keys
 */
export async function forgetKeys(client: RedisClient, prefix: string): Promise<number> {
  const pattern = `${prefix.replace(/[\\*?[\]^-]/g, '\\$&')}*`;
  let forgotten = 0;
  for (const server of mastersOf(client)) forgotten += await forgetOn(server, pattern);
  return forgotten;
}

async function forgetOn(client: Redis, pattern: string): Promise<number> {
  let forgotten = 0;
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    if (keys.length > 0) forgotten += await client.unlink(...keys);
    cursor = next;
  } while (cursor !== '0');
  return forgotten;
}
