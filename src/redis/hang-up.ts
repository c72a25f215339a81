import type { RedisClient } from './client.ts';

/**
 * Closes a connection at once; commands that still wait for an answer are rejected. Of a connection that has ended already ioredis would
 * wait 2 s for the end, and the process with it.
 */
export function hangUp(client: RedisClient): void {
  if (client.status !== 'end') client.disconnect();
}
