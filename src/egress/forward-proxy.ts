/**
 * The browser's only way out: an HTTP/1.1 forward proxy on loopback. Plain requests are relayed, everything else (https,
 * ws, wss) is a tunnel to an address that was checked, which is opened where an authority was made for that. A request that
 * is not a proxy's is refused.
 */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { minutes, seconds, type Milliseconds } from '../base/units.ts';
import type { CrawlAuthority } from './crawl-authority.ts';
import { EndedTls } from './ended-tls.ts';
import type { ExchangeKeeper } from './exchange.ts';
import { GuardedAgent, type Connector } from './guarded-agent.ts';
import type { GuardedConnector } from './guarded-connector.ts';
import { HEADER_LIMIT, type Relay, type RelayAgents } from './http-relay.ts';
import type { OriginTls } from './origin-tls.ts';
import { openTunnel, passRequest, passUpgrade, type Way } from './proxied-requests.ts';
import type { RequestPace } from './request-pace.ts';
import { SpareConnections } from './spare-connections.ts';

/** How long an unused connection to an origin is kept: a page's next request, not the host's next visit but one. */
const POOL_AGE = seconds(15);
/** Of one origin: what four pages of it have open at a time, for a browser opens six for each. */
const POOL_SIZE = 24;
/** A client that moves nothing for so long is gone, or waits for an answer that will never come. */
const CLIENT_IDLE_LIMIT = minutes(5);

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** Takes what connects to another listener for clients, too. */
  serve(listener: Listener): void;
  /** Requests and tunnels asked for. */
  readonly requests: number;
}

export interface ForwardProxyParts {
  readonly connector: GuardedConnector;
  readonly originTls: OriginTls;
  readonly pace: RequestPace;
  readonly clock: Clock;
  readonly keeper: ExchangeKeeper | null;
  /** In whose name tunnels are opened; null where they stay closed. */
  readonly authority: CrawlAuthority | null;
  readonly handshakeTimeout: Milliseconds;
}

/** Listens on 127.0.0.1 at a port of the system's choice, and closes that port to its own clients. */
export async function openForwardProxy(parts: ForwardProxyParts): Promise<ForwardProxy> {
  const { connector, originTls, authority, handshakeTimeout } = parts;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every connection that is being opened listens
  const clients = new Set<Socket>();
  const spares = new SpareConnections(originTls);
  const relays = relayOf(parts, spares, stop.signal);
  const server = createServer({
    maxHeaderSize: HEADER_LIMIT,
    keepAliveTimeout: CLIENT_IDLE_LIMIT,
    requestTimeout: 0,
    noDelay: true,
  });
  const serve = (client: Socket): void => void server.emit('connection', client);
  const ended = authority === null ? null : new EndedTls({ authority, originTls, spares, handshakeTimeout, serve });
  const way: Way = { connector, pace: parts.pace, spares, ended, relays, signal: stop.signal };
  let requests = 0;
  server.setTimeout(CLIENT_IDLE_LIMIT);
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clients.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (incoming, response) => {
    requests += 1;
    passRequest(incoming, response, way);
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
    serve: (listener) => void listener.on('connection', serve),
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the proxy is closed'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const gone = [...clients].map((client) => new Promise<void>((resolve) => client.once('close', () => resolve())));
      for (const client of clients) client.destroy();
      // who keeps exchanges is to hear that the clients went, not that their origins did
      await Promise.all(gone);
      for (const { pool, fresh } of [relays.http, relays.https]) {
        pool.destroy();
        fresh.destroy();
      }
      await closed;
    },
  };
}

function relayOf(
  { connector, keeper, clock }: ForwardProxyParts,
  spares: SpareConnections,
  signal: AbortSignal,
): Relay {
  const agents = (way: Connector): RelayAgents => ({
    pool: new GuardedAgent(way, { keepAlive: true, timeout: POOL_AGE, maxFreeSockets: POOL_SIZE }, signal),
    fresh: new GuardedAgent(way, { keepAlive: false }, signal),
  });
  return {
    http: agents(connector),
    https: agents(spares),
    remember: (target, failure) => connector.remember(target.hostName, target.port, failure),
    keeper,
    clock,
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
