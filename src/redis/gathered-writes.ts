/**
 * Combines all commands of one turn of the event loop into one write to Redis. A crawl of many hosts has a hundred visits at a time, each with
 * its own commands: separate writes cost both processes more than the commands in them.
 */
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './client.ts';

/** Must be called before the client connects. Commands keep their order, and wait for the end of the turn at most. */
export function gatherWrites(client: RedisClient): void {
  if (client instanceof Cluster) client.on('+node', gatherOf);
  else gatherOf(client);
}

function gatherOf(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const socket = client.stream as Redis['stream'] | null | undefined; // null before the client connects
    if (socket?.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return send(command, stream);
  };
}
