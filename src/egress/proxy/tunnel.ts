import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { minutes, seconds } from '../../base/units.ts';

/** A tunnel over which nothing has moved for so long is taken for forgotten; a busy page's sockets are never that still. */
const IDLE_LIMIT = minutes(10);
/** Longest silence of one side after the other has ended: until then it may still speak. */
const HALF_OPEN_LIMIT = seconds(30);

/** Joins a client and an origin until both have ended or one has failed; then neither is left open. */
export function joinSockets(client: Duplex, origin: Socket): void {
  const close = (): void => {
    client.destroy();
    origin.destroy();
  };
  const oneEnded = (): void => {
    origin.setTimeout(HALF_OPEN_LIMIT);
  };
  origin.allowHalfOpen = true;
  origin.setTimeout(IDLE_LIMIT, close);
  for (const socket of [client, origin]) {
    socket.on('error', close);
    socket.once('end', oneEnded);
    socket.once('close', () => {
      if (!client.writableFinished || !origin.writableFinished) close();
    });
  }
  client.pipe(origin);
  origin.pipe(client);
}
