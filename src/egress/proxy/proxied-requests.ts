/** Handles the messages of the proxy's clients: a request, a tunnel, an upgrade. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from '../gate/connection.ts';
import type { Connector } from '../gate/guarded-agent.ts';
import type { RequestPace } from '../gate/request-pace.ts';
import type { TlsTermination } from '../tls/tls-termination.ts';
import type { FaultGuard } from './fault-guard.ts';
import { HEADER_LIMIT, relay, type Relay } from './http-relay.ts';
import {
  badRequest,
  FAULT,
  PAGE_PREFETCH,
  PREFETCH,
  replyTo,
  REQUEST_TOO_LARGE,
  sendRawReply,
  sendReply,
} from './proxy-reply.ts';
import { readAbsoluteForm, readAuthorityForm, readOriginForm, type RequestTarget } from './request-target.ts';
import { joinSockets } from './tunnel.ts';

/** The parts by which requests of clients are passed on. */
export interface Way {
  readonly connector: Connector;
  readonly pace: RequestPace;
  /** Secure connections. */
  readonly spares: Connector;
  /** Null where tunnels stay closed. */
  readonly ended: TlsTermination | null;
  readonly relays: Relay;
  readonly guard: FaultGuard;
  readonly signal: AbortSignal;
}

/** A connection that is the proxy's no more, with the request that came on it. */
export interface HandedOver {
  readonly incoming: IncomingMessage;
  readonly client: Duplex;
  /** Bytes that the client has sent already after its request. */
  readonly head: Buffer;
}

const NO_PROXY_REQUEST = badRequest('a proxy takes http:// URLs and CONNECT only');
const NO_ORIGIN_REQUEST = badRequest('within TLS a request names a path');

/** Passes on a request for http, or one within TLS that is ended here. */
export function passRequest(incoming: IncomingMessage, response: ServerResponse, way: Way): void {
  const { ended, pace, relays, guard } = way;
  response.sendDate = false;
  const behind = ended?.behind(incoming.socket) ?? null;
  const target = targetOf(incoming, behind?.target ?? null);
  if (target === null) sendReply(response, behind === null ? NO_PROXY_REQUEST : NO_ORIGIN_REQUEST);
  else if (isTooLarge(incoming)) sendReply(response, REQUEST_TOO_LARGE);
  else if (isPrefetch(incoming)) sendReply(response, isForNavigation(incoming) ? PAGE_PREFETCH : PREFETCH);
  else if (behind?.failure) {
    response.shouldKeepAlive = false; // the next one may fare better
    sendReply(response, replyTo(behind.failure));
  } else if (behind?.fresh === true) {
    behind.fresh = false;
    relay({ incoming, response, target }, relays);
  } else {
    pace.pass(target, response, () => {
      guard(
        () => relay({ incoming, response, target }, relays),
        () => sendReply(response, FAULT),
      );
    });
  }
}

/**
 * Does a browser ask for something that its user may want next (Fetch standard, `Sec-Purpose`)? That is mostly a page: the crawl visits it by
 * itself, by robots.txt and at the pace of its host.
 */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return typeof headers['sec-purpose'] === 'string' && headers['sec-purpose'].startsWith('prefetch');
}

/** By speculation rules; untrustworthy origins get no destination, but navigations ask for an upgrade to https everywhere. */
function isForNavigation({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'document' || headers['upgrade-insecure-requests'] !== undefined;
}

/** @param connected target of the CONNECT that the request came through, where it came within TLS */
function targetOf({ url = '' }: IncomingMessage, connected: RequestTarget | null): RequestTarget | null {
  return connected === null ? readAbsoluteForm(url) : readOriginForm(url, connected);
}

/** Handles a CONNECT. */
export function openTunnel(asked: HandedOver, way: Way): void {
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

/** Handles an upgrade, in absolute-form or within TLS: the request goes on as it is, the rest is bytes. */
export function passUpgrade(asked: HandedOver, way: Way): void {
  const { incoming, client, head } = asked;
  const behind = way.ended?.behind(client) ?? null;
  const target = targetOf(incoming, behind?.target ?? null);
  if (target === null || behind?.failure) {
    const failure = behind?.failure ?? null;
    const wrong = behind === null ? NO_PROXY_REQUEST : NO_ORIGIN_REQUEST;
    sendRawReply(client, failure === null ? wrong : replyTo(failure));
    return;
  }
  if (isTooLarge(incoming)) return sendRawReply(client, REQUEST_TOO_LARGE);
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

/** Has it more headers than an answer may have? */
function isTooLarge({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.reduce((size, text) => size + text.length, 0) > HEADER_LIMIT;
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
  { pace, guard }: Way,
  handOn: (origin: Socket) => void,
): void {
  client.on('error', () => client.destroy());
  const goOn = (): void => {
    connect().then(
      (connection) => {
        if (connection.kind !== 'connected') sendRawReply(client, replyTo(connection));
        else if (client.destroyed) connection.socket.destroy();
        else {
          guard(
            () => handOn(connection.socket),
            () => {
              client.destroy();
              connection.socket.destroy();
            },
          );
        }
      },
      () => client.destroy(), // closing down
    );
  };
  if (paid) goOn();
  else pace.pass(target, client, goOn);
}
