/** A TLS server on loopback for any name, with certificates of an authority that the test can trust. */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { openAuthority } from '../../src/egress/tls/crawl-authority.ts';
import { started, type Origin } from './origin.ts';

export interface SecureOrigin extends Origin {
  /** The HTTP server within TLS. */
  readonly server: Server;
  /** PEM of the authority. */
  readonly authority: string;
  /** Request lines received so far: `GET /path`. */
  readonly requests: readonly string[];
  /** Names that clients have requested (SNI), in order. */
  readonly names: readonly string[];
  /** `https://name:port/path` */
  url(path: string, name?: string): string;
}

export interface SecureOriginOptions {
  /** The name in its certificate, whatever the client requests; left out: the requested name. */
  readonly name?: string;
  /** The clock for its certificate. */
  readonly clock?: Clock;
}

export const SECURE_NAME = 'secure.localhost';

export async function secureOrigin(
  listener: RequestListener,
  { name, clock = systemClock }: SecureOriginOptions = {},
): Promise<SecureOrigin> {
  const authority = await openAuthority(clock);
  const requests: string[] = [];
  const names: string[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  const outside = createServer((socket) => {
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext: authority.contextFor(name ?? '127.0.0.1'),
      SNICallback: (asked, done) => {
        names.push(asked);
        done(null, authority.contextFor(name ?? asked));
      },
      ALPNProtocols: ['http/1.1'],
    });
    for (const each of [socket, tls]) each.on('error', () => socket.destroy());
    tls.once('close', () => socket.destroy());
    tls.once('secure', () => server.emit('connection', tls));
  });
  const origin = await started(outside);
  return {
    ...origin,
    server,
    authority: authority.certificate,
    requests,
    names,
    url: (path, host = SECURE_NAME) => `https://${host}:${origin.port}${path}`,
  };
}
