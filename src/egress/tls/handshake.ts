/** The client's part of a TLS handshake over an open connection: the other side's certificate is verified. */
import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { Milliseconds } from '../../base/units.ts';
import type { EgressFailure } from '../egress.ts';
import type { Connection } from '../gate/connection.ts';
import { detailOf, networkFailureOf } from '../network-failure.ts';

export interface HandshakeOptions {
  readonly handshakeTimeout: Milliseconds;
  /** PEM of certificate authorities that are trusted instead of the usual ones. */
  readonly trusted: readonly string[] | null;
}

/**
 * @param name a host name without brackets; the certificate must be for it
 * @param protocol that the other side is to speak; default: HTTP/1.1
 */
export function shakeHands(
  socket: Socket,
  name: string,
  { handshakeTimeout, trusted }: HandshakeOptions,
  protocol: 'http/1.1' | 'h2' = 'http/1.1',
): Promise<Connection> {
  return new Promise((resolve) => {
    const tls = startTls({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: [protocol],
      rejectUnauthorized: true,
      // without secure renegotiation, as old load balancers are: browsers connect, and nothing is renegotiated here (RFC 5746)
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
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
    // an end without an error is a failure, too
    tls.once('close', () => fail({ kind: 'failed', failure: 'reset', detail: 'the connection was closed' }));
  });
}
