import { isIP, type Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import { callbackify } from 'node:util';
import { Agent } from 'undici';
import { seconds, type Milliseconds } from '../base/units.ts';
import { EgressError } from './egress-error.ts';
import type { GuardedConnector } from './guarded-connector.ts';
import { HEADER_LIMIT } from './http-relay.ts';
import { detailOf, networkFailureOf } from './network-failure.ts';

export interface GuardedDispatcherOptions {
  readonly handshakeTimeout: Milliseconds;
  /** PEM of certificate authorities that are trusted instead of the usual ones. */
  readonly trusted: readonly string[] | null;
}

type Way = GuardedDispatcherOptions & { readonly connector: GuardedConnector; readonly signal: AbortSignal };

/** An undici agent whose connections are the guarded ones, with TLS and a verified certificate for https. */
export function guardedDispatcher(
  connector: GuardedConnector,
  options: GuardedDispatcherOptions,
  signal: AbortSignal,
): Agent {
  const way: Way = { ...options, connector, signal };
  return new Agent({
    maxHeaderSize: HEADER_LIMIT,
    connections: 8,
    keepAliveTimeout: seconds(4),
    keepAliveMaxTimeout: seconds(15),
    connect: ({ hostname, port, protocol }, callback) => {
      openWithCallback(hostname, { port, secure: protocol === 'https:' }, way, (error, socket) => {
        if (error) callback(error, null);
        else callback(null, socket);
      });
    },
  });
}

async function open(
  hostname: string,
  { port: text, secure }: { readonly port: string; readonly secure: boolean },
  way: Way,
): Promise<Socket> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const port = text === '' ? (secure ? 443 : 80) : Number(text);
  const connection = await way.connector.connect(name, port, way.signal);
  if (connection.kind !== 'connected') throw new EgressError(connection);
  if (!secure) return connection.socket;
  try {
    return await secured(connection.socket, name, way);
  } catch (error) {
    connection.socket.destroy();
    if (error instanceof EgressError) throw new EgressError(way.connector.remember(name, port, error.failure));
    throw error;
  }
}

const openWithCallback = callbackify(open);

async function secured(socket: Socket, name: string, way: Way): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const tls = startTls({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(way.trusted === null ? {} : { ca: [...way.trusted] }),
    });
    const timer = setTimeout(() => {
      reject(new EgressError({ kind: 'failed', failure: 'timeout', detail: 'the TLS handshake did not end in time' }));
      tls.destroy();
    }, way.handshakeTimeout);
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      resolve(tls);
    });
    tls.on('error', (error) => {
      clearTimeout(timer);
      const known = networkFailureOf(error);
      const failure = known === 'other' ? 'tls' : known;
      reject(new EgressError({ kind: 'failed', failure, detail: detailOf(error) }));
    });
  });
}
