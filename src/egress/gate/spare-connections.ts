/**
 * Keeps secure connections, opened for a browser before it had asked anything, for the pool to take: a CONNECT is answered
 * only when its origin is reached, and the connection opened for that serves the first request.
 */
import type { Socket } from 'node:net';
import { seconds } from '../../base/units.ts';
import type { OriginTls } from '../tls/origin-tls.ts';
import { normalName } from './dns-cache.ts';
import type { Connection } from './connection.ts';

/** Closes connections that were not used for so long: an origin would do so soon. */
const SPARE_AGE = seconds(15);

export class SpareConnections {
  readonly #tls: OriginTls;
  readonly #spares = new Map<string, Map<Socket, () => void>>();

  constructor(tls: OriginTls) {
    this.#tls = tls;
  }

  keep(hostName: string, port: number, socket: Socket): void {
    const key = keyOf(hostName, port);
    const those = this.#spares.get(key) ?? new Map<Socket, () => void>();
    this.#spares.set(key, those);
    const forget = (): void => {
      those.delete(socket);
      if (those.size === 0) this.#spares.delete(key);
    };
    const close = (): void => {
      socket.destroy();
    };
    const leave = (): void => {
      clearTimeout(timer);
      socket.removeListener('close', leave);
      forget();
    };
    const timer = setTimeout(close, SPARE_AGE).unref();
    socket.once('close', leave);
    those.set(socket, leave);
  }

  /** A spare connection, else a new one. @throws the signal's reason */
  async connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const socket = this.#take(keyOf(hostName, port));
    return socket === null ? await this.#tls.connect(hostName, port, signal) : { kind: 'connected', socket };
  }

  #take(key: string): Socket | null {
    for (const [socket, leave] of this.#spares.get(key) ?? []) {
      leave();
      if (!socket.destroyed && socket.writable) return socket;
      socket.destroy();
    }
    return null;
  }
}

function keyOf(hostName: string, port: number): string {
  return `${normalName(hostName)}:${port}`;
}
