/**
 * What one turn of the event loop sends to Redis goes out in one write. A crawl of many hosts has a hundred visits at a time, each of which asks
 * something of its own: a write for each costs both processes more than the commands in it.
 */
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './client.ts';

/** To be called before the client connects. Commands keep their order, and wait for the end of the turn at most. */
export function gatherWrites(client: RedisClient): void {
  if (client instanceof Cluster) client.on('+node', gatherOf);
  else gatherOf(client);
}

function gatherOf(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const socket = client.stream as Redis['stream'] | null | undefined; // there is none before it connects
    if (socket?.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return send(command, stream);
  };
}
