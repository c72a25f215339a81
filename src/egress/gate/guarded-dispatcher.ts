import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, Pool, type Client } from 'undici';
import { seconds } from '../../base/units.ts';
import { EgressError } from '../egress-error.ts';
import { HEADER_LIMIT } from '../proxy/http-relay.ts';
import type { OriginTls } from '../tls/origin-tls.ts';
import type { GuardedConnector } from './guarded-connector.ts';
import { keptConnection } from './kept-connections.ts';
import { readLeniently } from './lenient-parser.ts';

interface Way {
  readonly connector: GuardedConnector;
  readonly tls: OriginTls;
  readonly signal: AbortSignal;
}

/** An undici agent whose connections are the guarded ones, with TLS and a verified certificate for https. */
export function guardedDispatcher(connector: GuardedConnector, tls: OriginTls, signal: AbortSignal): Agent {
  const way: Way = { connector, tls, signal };
  const limits = { maxHeaderSize: HEADER_LIMIT, keepAliveTimeout: seconds(4), keepAliveMaxTimeout: seconds(15) };
  const factory = (origin: URL): Client => {
    let newest: Socket | null = null;
    const connect: Client.Options['connect'] = ({ hostname, port, protocol }, callback) => {
      openWithCallback(hostname, { port, secure: protocol === 'https:' }, way, (error, socket) => {
        if (error) return callback(error, null);
        newest = socket;
        callback(null, socket);
      });
    };
    const client = keptConnection(origin, { ...limits, connect });
    return client.on('connect', () => void (newest && readLeniently(newest)));
  };
  return new Agent({ factory: (origin) => new Pool(origin, { connections: 8, factory }) });
}

async function open(
  hostname: string,
  { port: text, secure }: { readonly port: string; readonly secure: boolean },
  { connector, tls, signal }: Way,
): Promise<Socket> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const port = text === '' ? (secure ? 443 : 80) : Number(text);
  const connection = await (secure ? tls.connectByEither(name, port, signal) : connector.connect(name, port, signal));
  if (connection.kind !== 'connected') throw new EgressError(connection);
  connection.socket.on('error', renameReset);
  return connection.socket;
}

/**
 * undici takes a reset for the end of a body that has no length (client-h1.js, onHttpSocketError). Under another code for the same
 * failure it reports a body that broke off. This listener was added first, so undici gets the error after it.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED';
}

const openWithCallback = callbackify(open);
