/** Opens TCP connections to addresses. */
import { connect } from 'node:net';
import type { NetworkFailure } from '../../model/visit-outcome.ts';
import { detailOf, networkFailureOf } from '../network-failure.ts';
import type { Connection } from './connection.ts';

/** An address with its port; never a name. */
export interface SocketTarget {
  readonly address: string;
  readonly port: number;
}

/** The time limit of an attempt, and its local address. */
interface SocketLimits {
  /** Milliseconds. */
  readonly limit: number;
  /** The address of this machine that it goes out by; null where the system chooses it. */
  readonly localAddress: string | null;
}

/**
 * Connects to an address, and judges nothing: only the connector and the way to a proxy of the user call it.
 * @throws the signal's reason
 */
export async function openSocket(
  { address: host, port }: SocketTarget,
  { limit, localAddress }: SocketLimits,
  signal: AbortSignal,
): Promise<Connection> {
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const local = localAddress === null ? {} : { localAddress };
    const socket = connect({ host, port, ...local, noDelay: true, autoSelectFamily: false });
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeListener('connect', connected);
    };
    const fail = (failure: NetworkFailure, detail: string): void => {
      done();
      socket.destroy();
      resolve({ kind: 'failed', failure, detail });
    };
    const connected = (): void => {
      done();
      resolve({ kind: 'connected', socket });
    };
    const abort = (): void => {
      done();
      socket.destroy();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    };
    const timer = setTimeout(() => {
      fail('timeout', `${host} did not accept a connection within ${Math.round(limit)} ms`);
    }, limit);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', connected);
    // Stays for the life of the socket: an error between two owners must not end the process.
    socket.on('error', (error) => fail(networkFailureOf(error), detailOf(error)));
  });
}
