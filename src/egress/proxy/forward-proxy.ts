/**
 * The browser's only way out: an HTTP/1.1 forward proxy on loopback. Plain requests are relayed, everything else (https, ws, wss) is a
 * tunnel to an address that was checked. Tunnels are opened where an authority was made to terminate their TLS. Requests that are not
 * meant for a proxy are refused.
 */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Server as Listener, Socket } from 'node:net';
import type { ProxyCredential } from '../../../browsers/protocol/proxy-credential.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { mebibytes, minutes, seconds, type Milliseconds } from '../../base/units.ts';
import type { ExchangeRecorder } from '../../model/exchange.ts';
import { GuardedAgent, type Connector } from '../gate/guarded-agent.ts';
import type { GuardedConnector } from '../gate/guarded-connector.ts';
import type { RequestPace } from '../gate/request-pace.ts';
import { SpareConnections } from '../gate/spare-connections.ts';
import type { CrawlAuthority } from '../tls/crawl-authority.ts';
import type { OriginTls } from '../tls/origin-tls.ts';
import { TlsTermination } from '../tls/tls-termination.ts';
import { ArrivingAnswers } from './arriving-answers.ts';
import type { FaultGuard } from './fault-guard.ts';
import type { Relay, RelayAgents } from './http-relay.ts';
import { openTunnel, passRequest, passUpgrade, type HandedOver, type Way } from './proxied-requests.ts';
import { CREDENTIAL_WANTED, ProxyDoor } from './proxy-door.ts';
import { FAULT, sendRawReply, sendReply } from './proxy-reply.ts';

/** Time for which an unused connection to an origin is kept: for a page's next request, not for the host's next visit but one. */
const POOL_AGE = seconds(15);
/** Unused connections kept of one origin: as many as four pages of it open at a time, as a browser opens six for each. */
const POOL_SIZE = 24;
/** More than a browser keeps of one site's cookies (180 of 4 KiB): the request can be read, and refused with a reason. */
const REQUEST_HEAD_LIMIT = mebibytes(1);
/** A client without traffic for so long is gone, or waits for an answer that will never come. */
const CLIENT_IDLE_LIMIT = minutes(5);

interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** Accepts connections of another listener as clients, too. */
  serve(listener: Listener): void;
  /** Clients that do not show it get 407; a connection within TLS was admitted by its CONNECT. */
  readonly credential: ProxyCredential;
  /** Answers on their way to a browser. */
  readonly arriving: ArrivingAnswers;
  /** Requests and tunnels of admitted clients. */
  readonly requests: number;
}

interface ForwardProxyParts {
  readonly connector: GuardedConnector;
  readonly originTls: OriginTls;
  readonly pace: RequestPace;
  readonly clock: Clock;
  readonly recorder: ExchangeRecorder | null;
  /** Issues certificates for opened tunnels; null where tunnels stay closed. */
  readonly authority: CrawlAuthority | null;
  readonly handshakeTimeout: Milliseconds;
  readonly guard: FaultGuard;
  readonly log: Log;
}

/** Listens on 127.0.0.1 at a port of the system's choice, and closes that port to its own clients. */
export async function openForwardProxy(parts: ForwardProxyParts): Promise<ForwardProxy> {
  const { connector, originTls, authority, handshakeTimeout, guard } = parts;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every connection that is being opened listens
  const clients = new Set<Socket>();
  const spares = new SpareConnections(originTls);
  const relays = relayOf(parts, spares, stop.signal);
  const server = createServer({
    maxHeaderSize: REQUEST_HEAD_LIMIT,
    keepAliveTimeout: CLIENT_IDLE_LIMIT,
    requestTimeout: 0,
    noDelay: true,
  });
  const serve = (client: Socket): void => void server.emit('connection', client);
  const ended =
    authority === null ? null : new TlsTermination({ authority, originTls, spares, handshakeTimeout, serve });
  const way: Way = { connector, pace: parts.pace, spares, ended, relays, guard, signal: stop.signal };
  const door = new ProxyDoor(() => port);
  let requests = 0;
  let refused = 0;
  const admits = ({ socket, url, headers }: IncomingMessage): boolean => {
    if ((ended?.behind(socket) ?? null) !== null || door.admits(headers['proxy-authorization'])) return true;
    if (door.isGreeting(url)) return false; // the browser's first request never shows the credential
    refused += 1;
    // the URL is the client's own text and is not logged; there may be many
    if (refused === 1) parts.log.warn('somebody without the credential of the crawl asked its proxy, and was refused');
    return false;
  };
  server.setTimeout(CLIENT_IDLE_LIMIT);
  const handOver = (asked: HandedOver, pass: (asked: HandedOver, way: Way) => void): void => {
    const { incoming, client } = asked;
    client.on('error', () => client.destroy());
    guard(
      () => {
        if (!admits(incoming)) return sendRawReply(client, CREDENTIAL_WANTED);
        requests += 1;
        pass(asked, way);
      },
      () => sendRawReply(client, FAULT),
    );
  };
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clients.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (incoming, response) => {
    guard(
      () => {
        if (!admits(incoming)) sendReply(response, CREDENTIAL_WANTED);
        else if (door.isGreeting(incoming.url)) {
          door.greeted(incoming.url);
          response.writeHead(204).end();
        } else {
          requests += 1;
          passRequest(incoming, response, way);
        }
      },
      () => sendReply(response, FAULT),
    );
  });
  server.on('connect', (incoming, client, head) => {
    handOver({ incoming, client, head }, openTunnel);
  });
  server.on('upgrade', (incoming, client, head) => {
    handOver({ incoming, client, head }, passUpgrade);
  });
  const port = await listen(server);
  connector.closePort(port);
  return {
    port,
    credential: door.credential,
    arriving: relays.arriving,
    serve: (listener) => void listener.on('connection', serve),
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the proxy is closed'));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const gone = [...clients].map((client) => new Promise<void>((resolve) => client.once('close', () => resolve())));
      for (const client of clients) client.destroy();
      // a recorder is to record that the clients went, not that their origins did
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
  { connector, recorder, clock, guard }: ForwardProxyParts,
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
    arriving: new ArrivingAnswers(),
    recorder,
    clock,
    guard,
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
