/**
 * The browser's only way out: an HTTP/1.1 forward proxy on loopback. Plain requests are relayed, everything else (https,
 * ws, wss) is a tunnel to an address that was checked, which is opened where an authority was made for that. A request that
 * is not a proxy's is refused.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { minutes, seconds, type Milliseconds } from '../base/units.ts';
import type { CrawlAuthority } from './crawl-authority.ts';
import { EndedTls } from './ended-tls.ts';
import type { ExchangeKeeper } from './exchange.ts';
import { GuardedAgent, type Connector } from './guarded-agent.ts';
import type { Connection, GuardedConnector } from './guarded-connector.ts';
import { HEADER_LIMIT, relay, type Relay, type RelayAgents } from './http-relay.ts';
import type { OriginTls } from './origin-tls.ts';
import { badRequest, replyTo, sendRawReply, sendReply } from './proxy-reply.ts';
import type { RequestPace } from './request-pace.ts';
import { readAbsoluteForm, readAuthorityForm, readOriginForm, type RequestTarget } from './request-target.ts';
import { SpareConnections } from './spare-connections.ts';
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
  const way: Way = { ...parts, spares, ended, relays, signal: stop.signal };
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
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the proxy is closed'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const gone = [...clients].map((client) => new Promise<void>((resolve) => client.once('close', () => resolve())));
      for (const client of clients) client.destroy();
      for (const { pool, fresh } of [relays.http, relays.https]) {
        pool.destroy();
        fresh.destroy();
      }
      await Promise.all([closed, ...gone]);
    },
  };
}

interface Way extends ForwardProxyParts {
  readonly spares: SpareConnections;
  readonly ended: EndedTls | null;
  readonly relays: Relay;
  readonly signal: AbortSignal;
}

interface HandedOver {
  readonly incoming: IncomingMessage;
  readonly client: Duplex;
  /** What the client has sent already behind its request. */
  readonly head: Buffer;
}

const NO_PROXY_REQUEST = badRequest('a proxy takes http:// URLs and CONNECT only');
const NO_ORIGIN_REQUEST = badRequest('within TLS a request names a path');

function passRequest(incoming: IncomingMessage, response: ServerResponse, { ended, pace, relays }: Way): void {
  response.sendDate = false;
  const behind = ended?.behind(incoming.socket) ?? null;
  const target = targetOf(incoming, behind?.target ?? null);
  if (target === null) sendReply(response, behind === null ? NO_PROXY_REQUEST : NO_ORIGIN_REQUEST);
  else if (behind?.failure) {
    response.shouldKeepAlive = false; // the next one may fare better
    sendReply(response, replyTo(behind.failure));
  } else if (behind?.fresh === true) {
    behind.fresh = false;
    relay({ incoming, response, target }, relays);
  } else pace.pass(target, response, () => relay({ incoming, response, target }, relays));
}

/** @param connected where the CONNECT led to that the request came through, where it came within TLS */
function targetOf({ url = '' }: IncomingMessage, connected: RequestTarget | null): RequestTarget | null {
  return connected === null ? readAbsoluteForm(url) : readOriginForm(url, connected);
}

function openTunnel(asked: HandedOver, way: Way): void {
  const { incoming, client, head } = asked;
  const { connector, ended, signal } = way;
  const within = ended?.behind(client) ?? null;
  const target = within === null ? readAuthorityForm(incoming.url ?? '') : null;
  if (target === null) {
    sendRawReply(client, badRequest('CONNECT wants host:port, and a tunnel leads through no other'));
    return;
  }
  const connect = (): Promise<Connection> => connector.connect(target.hostName, target.port, signal);
  connectFor(asked, { target, connect, paid: false }, way, (origin) => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) client.unshift(head);
    if (ended === null) joinSockets(client, origin);
    else void ended.takeOver(client, origin, target); // never rejects
  });
}

/** An upgrade, in absolute-form or within TLS: the request goes on as it is, the rest is bytes. */
function passUpgrade(asked: HandedOver, way: Way): void {
  const { incoming, client, head } = asked;
  const behind = way.ended?.behind(client) ?? null;
  const target = targetOf(incoming, behind?.target ?? null);
  if (target === null || behind?.failure) {
    const failure = behind?.failure ?? null;
    const wrong = behind === null ? NO_PROXY_REQUEST : NO_ORIGIN_REQUEST;
    sendRawReply(client, failure === null ? wrong : replyTo(failure));
    return;
  }
  const connector: Connector = target.scheme === 'https' ? way.spares : way.connector;
  const connect = (): Promise<Connection> => connector.connect(target.hostName, target.port, way.signal);
  const paid = behind?.fresh === true;
  if (behind !== null) behind.fresh = false;
  connectFor(asked, { target, connect, paid }, way, (origin) => {
    const lines = [`${incoming.method ?? 'GET'} ${target.path} HTTP/1.1`, `Host: ${target.authority}`];
    for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
      const name = incoming.rawHeaders[index] ?? '';
      if (!/^(?:host|proxy-.*)$/i.test(name)) lines.push(`${name}: ${incoming.rawHeaders[index + 1] ?? ''}`);
    }
    joinSockets(client, origin);
    origin.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    if (head.length > 0) origin.write(head);
  });
}

interface Wanted {
  readonly target: RequestTarget;
  readonly connect: () => Promise<Connection>;
  /** Has its CONNECT waited for its turn? */
  readonly paid: boolean;
}

/** Connects when it is the client's turn and hands the connection on; or says to the client why not. */
function connectFor(
  { client }: HandedOver,
  { target, connect, paid }: Wanted,
  { pace }: Way,
  handOn: (origin: Socket) => void,
): void {
  client.on('error', () => client.destroy());
  const goOn = (): void => {
    connect().then(
      (connection) => {
        if (connection.kind !== 'connected') sendRawReply(client, replyTo(connection));
        else if (client.destroyed) connection.socket.destroy();
        else handOn(connection.socket);
      },
      () => client.destroy(), // closing down
    );
  };
  if (paid) goOn();
  else pace.pass(target, client, goOn);
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
