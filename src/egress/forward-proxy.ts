/**
 * The browser's only way out: an HTTP/1.1 forward proxy on loopback. Plain requests are relayed, everything else (https,
 * ws, wss) is a tunnel to an address that was checked. A request that is not a proxy's is refused.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { minutes, seconds } from '../base/units.ts';
import { GuardedAgent } from './guarded-agent.ts';
import type { GuardedConnector } from './guarded-connector.ts';
import { HEADER_LIMIT, relay, type RelayAgents } from './http-relay.ts';
import { badRequest, replyTo, sendRawReply, sendReply } from './proxy-reply.ts';
import type { RequestPace } from './request-pace.ts';
import { readAbsoluteForm, readAuthorityForm } from './request-target.ts';
import { joinSockets } from './tunnel.ts';

/** How long an unused connection to an origin is kept: a page's next request, not the host's next visit but one. */
const POOL_AGE = seconds(15);
const POOL_SIZE = 8;
/** A client that moves nothing for so long is gone, or waits for an answer that will never come. */
const CLIENT_IDLE_LIMIT = minutes(5);

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** Requests and tunnels asked for. */
  readonly requests: number;
}

/** Listens on 127.0.0.1 at a port of the system's choice, and closes that port to its own clients. */
export async function openForwardProxy(connector: GuardedConnector, pace: RequestPace): Promise<ForwardProxy> {
  const stop = new AbortController();
  const clients = new Set<Socket>();
  const agents = relayAgents(connector, stop.signal);
  const way: Way = { connector, pace, signal: stop.signal };
  let requests = 0;
  const server = createServer({
    maxHeaderSize: HEADER_LIMIT,
    keepAliveTimeout: CLIENT_IDLE_LIMIT,
    requestTimeout: 0,
    noDelay: true,
  });
  server.setTimeout(CLIENT_IDLE_LIMIT);
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clients.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (incoming, response) => {
    requests += 1;
    response.sendDate = false;
    const target = readAbsoluteForm(incoming.url ?? '');
    if (target === null) sendReply(response, badRequest('a proxy takes http:// URLs and CONNECT only'));
    else pace.pass(target, response, () => relay({ incoming, response, target }, agents));
  });
  server.on('connect', (incoming, client, head) => {
    requests += 1;
    openTunnel({ incoming, client, head }, way);
  });
  server.on('upgrade', (incoming, client, head) => {
    requests += 1;
    passUpgrade({ incoming, client, head }, way);
  });
  const port = await listen(server);
  connector.closePort(port);
  return {
    port,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the proxy is closed'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of clients) client.destroy();
      agents.pool.destroy();
      agents.fresh.destroy();
      await closed;
    },
  };
}

interface Way {
  readonly connector: GuardedConnector;
  readonly pace: RequestPace;
  readonly signal: AbortSignal;
}

interface HandedOver {
  readonly incoming: IncomingMessage;
  readonly client: Duplex;
  /** What the client has sent already behind its request. */
  readonly head: Buffer;
}

function openTunnel(asked: HandedOver, way: Way): void {
  const target = readAuthorityForm(asked.incoming.url ?? '');
  if (target === null) {
    sendRawReply(asked.client, badRequest('CONNECT wants host:port'));
    return;
  }
  connectFor(asked, target, way, (origin) => {
    asked.client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (asked.head.length > 0) origin.write(asked.head);
  });
}

/** An upgrade in absolute-form (ws: from other clients than Chromium): the request goes on as it is, the rest is bytes. */
function passUpgrade(asked: HandedOver, way: Way): void {
  const { incoming } = asked;
  const target = readAbsoluteForm(incoming.url ?? '');
  if (target === null) {
    sendRawReply(asked.client, badRequest('a proxy takes http:// URLs and CONNECT only'));
    return;
  }
  connectFor(asked, target, way, (origin) => {
    const lines = [`${incoming.method ?? 'GET'} ${target.path} HTTP/1.1`, `Host: ${target.authority}`];
    for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
      const name = incoming.rawHeaders[index] ?? '';
      if (!/^(?:host|proxy-.*)$/i.test(name)) lines.push(`${name}: ${incoming.rawHeaders[index + 1] ?? ''}`);
    }
    origin.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (asked.head.length > 0) origin.write(asked.head);
  });
}

/** Connects, greets and joins; or says to the client why not. */
function connectFor(
  { client }: HandedOver,
  target: { readonly hostName: string; readonly port: number },
  { connector, pace, signal }: Way,
  greet: (origin: Socket) => void,
): void {
  client.on('error', () => client.destroy());
  pace.pass(target, client, () => {
    connector.connect(target.hostName, target.port, signal).then(
      (connection) => {
        if (connection.kind !== 'connected') {
          sendRawReply(client, replyTo(connection));
        } else if (client.destroyed) {
          connection.socket.destroy();
        } else {
          joinSockets(client, connection.socket);
          greet(connection.socket);
        }
      },
      () => client.destroy(), // closing down
    );
  });
}

function relayAgents(connector: GuardedConnector, signal: AbortSignal): RelayAgents {
  return {
    pool: new GuardedAgent(connector, { keepAlive: true, timeout: POOL_AGE, maxFreeSockets: POOL_SIZE }, signal),
    fresh: new GuardedAgent(connector, { keepAlive: false }, signal),
    remember: (target, failure) => connector.remember(target.hostName, target.port, failure),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the proxy has no port');
  return address.port;
}
