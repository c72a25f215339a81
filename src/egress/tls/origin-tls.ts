/** TLS with an origin over a guarded connection: its certificate is verified, and must be of the name that was asked for. */
import { isIP, type Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { Milliseconds } from '../../base/units.ts';
import type { EgressFailure } from '../egress.ts';
import { normalName } from '../gate/dns-cache.ts';
import type { Connection, GuardedConnector } from '../gate/guarded-connector.ts';
import { detailOf, networkFailureOf } from '../network-failure.ts';

interface OriginTlsOptions {
  readonly handshakeTimeout: Milliseconds;
  /** PEM of certificate authorities that are trusted instead of the usual ones. */
  readonly trusted: readonly string[] | null;
}

export class OriginTls {
  readonly #connector: GuardedConnector;
  readonly #options: OriginTlsOptions;

  constructor(connector: GuardedConnector, options: OriginTlsOptions) {
    this.#connector = connector;
    this.#options = options;
  }

  /** A connection that is secure and belongs to the caller, who must listen to its errors. @throws the signal's reason */
  async connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const connection = await this.#connector.connect(hostName, port, signal);
    return connection.kind === 'connected' ? this.secure(connection.socket, hostName, port) : connection;
  }

  /** The same over a connection that is open already, and that is closed where it comes to nothing. */
  async secure(socket: Socket, hostName: string, port: number): Promise<Connection> {
    const connection = await secured(socket, normalName(hostName), this.#options);
    return connection.kind === 'connected' ? connection : this.#connector.remember(hostName, port, connection);
  }
}

function secured(socket: Socket, name: string, { handshakeTimeout, trusted }: OriginTlsOptions): Promise<Connection> {
  return new Promise((resolve) => {
    const tls = startTls({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(trusted === null ? {} : { ca: [...trusted] }),
    });
    const fail = (failure: EgressFailure): void => {
      clearTimeout(timer);
      tls.destroy();
      socket.destroy();
      resolve(failure);
    };
    const timer = setTimeout(() => {
      fail({ kind: 'failed', failure: 'timeout', detail: 'the TLS handshake did not end in time' });
    }, handshakeTimeout);
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      resolve({ kind: 'connected', socket: tls });
    });
    // Stays for the life of the socket: an error between two owners must not end the process.
    tls.on('error', (error) => {
      const known = networkFailureOf(error);
      fail({ kind: 'failed', failure: known === 'other' ? 'tls' : known, detail: detailOf(error) });
    });
    // an end without an error, too, is an answer
    tls.once('close', () => fail({ kind: 'failed', failure: 'reset', detail: 'the connection was closed' }));
  });
}
