/** TLS with an origin over a guarded connection: its certificate is verified, and must be of the name that was asked for. */
import type { Socket } from 'node:net';
import type { Connection } from '../gate/connection.ts';
import { normalName } from '../gate/dns-cache.ts';
import type { GuardedConnector } from '../gate/guarded-connector.ts';
import { NO_HTTP1 } from '../network-failure.ts';
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

  /** The same, by HTTP/2 where the server speaks nothing else: its `alpnProtocol` is `h2` then. */
  async connectByEither(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const first = await this.connect(hostName, port, signal);
    if (first.kind !== 'failed' || first.detail !== NO_HTTP1) return first;
    const connection = await this.#connector.connect(hostName, port, signal);
    if (connection.kind !== 'connected') return connection;
    const second = await shakeHands(connection.socket, normalName(hostName), this.#options, 'h2');
    return second.kind === 'connected' ? second : first;
  }

  /** The same over a connection that is open already; it is closed where the handshake fails. */
  async secure(socket: Socket, hostName: string, port: number): Promise<Connection> {
    const connection = await shakeHands(socket, normalName(hostName), this.#options);
    return connection.kind === 'connected' ? connection : this.#connector.remember(hostName, port, connection);
  }
}
