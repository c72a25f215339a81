import type { RedisClient } from './client.ts';

/**
 * Closes a connection at once; commands that still wait for an answer are rejected. If the connection has ended already, ioredis would
 * keep the process alive for 2 s to wait for the end.
 */
export function hangUp(client: RedisClient): void {
  if (client.status !== 'end') client.disconnect();
}
