/** TLS with an origin over a guarded connection: its certificate is verified, and must be of the name that was asked for. */
import type { Socket } from 'node:net';
import type { Connection } from '../gate/connection.ts';
import { normalName } from '../gate/dns-cache.ts';
import type { GuardedConnector } from '../gate/guarded-connector.ts';
import { shakeHands, type HandshakeOptions } from './handshake.ts';

export class OriginTls {
  readonly #connector: GuardedConnector;
  readonly #options: HandshakeOptions;

  constructor(connector: GuardedConnector, options: HandshakeOptions) {
    this.#connector = connector;
    this.#options = options;
  }

  /** A connection that is secure and belongs to the caller, who must listen to its errors. @throws the signal's reason */
  async connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const connection = await this.#connector.connect(hostName, port, signal);
    return connection.kind === 'connected' ? this.secure(connection.socket, hostName, port) : connection;
  }

  /** The same over a connection that is open already; it is closed where the handshake fails. */
  async secure(socket: Socket, hostName: string, port: number): Promise<Connection> {
    const connection = await shakeHands(socket, normalName(hostName), this.#options);
    return connection.kind === 'connected' ? connection : this.#connector.remember(hostName, port, connection);
  }
}
