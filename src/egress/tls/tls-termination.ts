/**
 * Terminates the TLS that a browser speaks behind its CONNECT, in the name of the crawl's own authority, so that its requests can
 * be read and relayed like plain ones. The host that a request names within TLS changes nothing: requests go to the origin that
 * the CONNECT named, whose certificate was verified before.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Milliseconds } from '../../base/units.ts';
import type { EgressFailure } from '../egress.ts';
import type { SpareConnections } from '../gate/spare-connections.ts';
import type { RequestTarget } from '../proxy/request-target.ts';
import { joinSockets } from '../proxy/tunnel.ts';
import type { CrawlAuthority } from './crawl-authority.ts';
import type { OriginTls } from './origin-tls.ts';

/** First byte of a record of a TLS handshake; no request of HTTP begins with it. */
const HANDSHAKE = 0x16;

interface TlsTerminationParts {
  readonly authority: CrawlAuthority;
  readonly originTls: OriginTls;
  readonly spares: SpareConnections;
  /** Time from the answer to a CONNECT to the end of the client's handshake, the origin's own not counted. */
  readonly handshakeTimeout: Milliseconds;
  /** Reads requests from a connection. */
  readonly serve: (client: Socket) => void;
}

/** The origin behind a decrypted connection. */
interface TerminatedConnection {
  readonly target: RequestTarget;
  /** The reason why its origin cannot be asked; null where it can. */
  readonly failure: EgressFailure | null;
  /** Has nothing been asked yet? The first request need not wait for its turn, as the CONNECT has done so. */
  fresh: boolean;
}

export class TlsTermination {
  readonly #parts: TlsTerminationParts;
  readonly #connections = new WeakMap<Duplex, TerminatedConnection>();

  constructor(parts: TlsTerminationParts) {
    this.#parts = parts;
  }

  /** The origin behind a client's connection; null where it was not decrypted here. */
  behind(client: Duplex): TerminatedConnection | null {
    return this.#connections.get(client) ?? null;
  }

  /**
   * Takes over both ends of a CONNECT that was just answered. Traffic other than TLS (ws:) is passed on as bytes.
   * Never rejects.
   */
  async takeOver(client: Duplex, origin: Socket, target: RequestTarget): Promise<void> {
    try {
      await this.#takeOver(client, origin, target);
    } catch {
      // OpenSSL does not take the name
      client.destroy();
      origin.destroy();
    }
  }

  async #takeOver(client: Duplex, origin: Socket, target: RequestTarget): Promise<void> {
    const { handshakeTimeout } = this.#parts;
    const first = await firstByte(client, handshakeTimeout);
    if (first === null || !(client instanceof Socket) || client.destroyed) {
      client.destroy();
      origin.destroy();
    } else if (first !== HANDSHAKE) {
      if (origin.destroyed) client.destroy();
      else joinSockets(client, origin);
    } else {
      await this.#end(client, origin, target);
    }
  }

  async #end(client: Socket, origin: Socket, target: RequestTarget): Promise<void> {
    const { authority, originTls, spares, handshakeTimeout, serve } = this.#parts;
    const connection = await originTls.secure(origin, target.hostName, target.port);
    if (connection.kind === 'connected') spares.keep(target.hostName, target.port, connection.socket);
    if (client.destroyed) return;
    const secure = await secured(client, authority, { hostName: target.hostName, handshakeTimeout });
    if (secure === null) return;
    const failure = connection.kind === 'connected' ? null : connection;
    this.#connections.set(secure, { target, failure, fresh: true });
    serve(secure);
  }
}

/** The server's part of a handshake with the client; null where it failed, and the connection is closed. */
async function secured(
  client: Socket,
  authority: CrawlAuthority,
  { hostName, handshakeTimeout }: { readonly hostName: string; readonly handshakeTimeout: Milliseconds },
): Promise<TLSSocket | null> {
  // the TLS socket reads its bytes from now on
  client.setTimeout(0);
  const tls = new TLSSocket(client, {
    isServer: true,
    secureContext: authority.contextFor(hostName),
    ALPNProtocols: ['http/1.1'],
    requestCert: false,
    rejectUnauthorized: false,
  });
  // stays for its life: an error between two owners must not end the process
  tls.on('error', () => tls.destroy());
  tls.once('close', () => client.destroy());
  return await new Promise((resolve) => {
    const timer = setTimeout(() => tls.destroy(), handshakeTimeout);
    const closed = (): void => {
      clearTimeout(timer);
      resolve(null);
    };
    tls.once('close', closed);
    tls.once('secure', () => {
      clearTimeout(timer);
      tls.removeListener('close', closed);
      resolve(tls);
    });
  });
}

/** Peeks at the first byte that a client sends; null where nothing came in time. */
async function firstByte(client: Duplex, limit: Milliseconds): Promise<number | null> {
  return await new Promise((resolve) => {
    const done = (byte: number | null): void => {
      clearTimeout(timer);
      client.removeListener('data', look).removeListener('end', gone).removeListener('close', gone);
      resolve(byte);
    };
    const look = (chunk: Buffer): void => {
      client.pause();
      client.unshift(chunk);
      done(chunk[0] ?? null);
    };
    const gone = (): void => done(null);
    const timer = setTimeout(gone, limit);
    client.on('data', look).once('end', gone).once('close', gone);
  });
}
