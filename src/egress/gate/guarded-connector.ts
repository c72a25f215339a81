/**
 * The one way to a socket: resolve once, check every address, connect to an address that was checked. Nothing else in the
 * program opens connections to what a page or a server names.
 */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { LruMap } from '../../base/lru-map.ts';
import { minutes, type Milliseconds } from '../../base/units.ts';
import type { NetworkFailure } from '../../model/visit-outcome.ts';
import type { AddressGrant, AddressVerdict, EgressFailure } from '../egress.ts';
import { detailOf, networkFailureOf } from '../network-failure.ts';
import { judgeAddress, METADATA_NAMES, readGrant, type ReadGrant } from './address-guard.ts';
import { normalName, type DnsCache } from './dns-cache.ts';

export type Connection = { readonly kind: 'connected'; readonly socket: Socket } | EgressFailure;

interface GuardedConnectorOptions {
  readonly grants: readonly AddressGrant[];
  readonly closedPorts: readonly number[];
  readonly connectTimeout: Milliseconds;
}

interface GuardedConnectorDependencies {
  readonly names: DnsCache;
  readonly clock: Clock;
  readonly log: Log;
}

/** Of a name with many addresses so many are tried; the others are checked all the same. */
const ADDRESS_TRIES = 4;
/** How long, and for how many origins, a failure is remembered. */
const FAILURE_AGE = minutes(1);
const FAILURE_LIMIT = 1000;

export class GuardedConnector {
  readonly #names: DnsCache;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connectTimeout: Milliseconds;
  readonly #closedPorts: Set<number>;
  #grants: readonly ReadGrant[];
  readonly #sockets = new Set<Socket>();
  readonly #failures = new LruMap<string, { readonly failure: EgressFailure; readonly until: number }>(FAILURE_LIMIT);
  #refused = 0;
  #receivedBefore = 0;

  /** @throws {CrawlError} USAGE where a grant cannot be read */
  constructor(options: GuardedConnectorOptions, dependencies: GuardedConnectorDependencies) {
    this.#names = dependencies.names;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#connectTimeout = options.connectTimeout;
    this.#closedPorts = new Set(options.closedPorts);
    this.#grants = options.grants.map(readGrant);
  }

  /** @throws {CrawlError} USAGE where the grant cannot be read */
  grant(grant: AddressGrant): void {
    this.#grants = [...this.#grants, readGrant(grant)];
  }

  closePort(port: number): void {
    this.#closedPorts.add(port);
  }

  get refused(): number {
    return this.#refused;
  }

  /** Bytes received on all sockets, those still open included. */
  get received(): number {
    let total = this.#receivedBefore;
    for (const socket of this.#sockets) total += socket.bytesRead;
    return total;
  }

  /** One forbidden address refuses the whole name: a mixed answer is an attack or a mistake. @throws the signal's reason */
  async judge(hostName: string, port: number, signal: AbortSignal): Promise<AddressVerdict> {
    if (METADATA_NAMES.has(normalName(hostName))) {
      return { kind: 'blocked', address: hostName, range: 'cloud metadata service' };
    }
    const resolution = await this.#names.resolve(hostName, signal);
    if (resolution.kind === 'unresolvable') return { kind: 'unresolvable', detail: resolution.detail };
    const policy = { grants: this.#grants, closedPorts: this.#closedPorts };
    for (const address of resolution.addresses) {
      const judgement = judgeAddress(address, port, policy);
      if (judgement.kind === 'blocked') return { kind: 'blocked', address, range: judgement.range };
    }
    return { kind: 'allowed', addresses: resolution.addresses };
  }

  /** A socket that is connected and belongs to the caller, who must listen to its errors. @throws the signal's reason */
  async connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const verdict = await this.judge(hostName, port, signal);
    switch (verdict.kind) {
      case 'blocked': {
        this.#refused += 1;
        const detail = `${hostName}:${port} is ${verdict.address} (${verdict.range})`;
        this.#log.debug('egress refused', { hostName, port, address: verdict.address, range: verdict.range });
        return this.remember(hostName, port, { kind: 'blocked', detail });
      }
      case 'unresolvable':
        return this.remember(hostName, port, { kind: 'failed', failure: 'dns', detail: verdict.detail });
      case 'allowed':
        return await this.#connectToOneOf(verdict.addresses, { hostName, port }, signal);
    }
  }

  async #connectToOneOf(
    addresses: readonly string[],
    origin: { readonly hostName: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<Connection> {
    const tries = addresses.slice(0, ADDRESS_TRIES);
    const end = this.#clock.monotonic() + this.#connectTimeout;
    let failure: EgressFailure = { kind: 'failed', failure: 'timeout', detail: 'no time was left to connect' };
    for (const [index, address] of tries.entries()) {
      // An address that does not answer leaves as much time for each of those after it.
      const share = Math.max(1, (end - this.#clock.monotonic()) / (tries.length - index));
      // oxlint-disable-next-line no-await-in-loop -- one after the other: the next only if this one fails
      const result = await connectTo(address, origin.port, share, signal);
      if (result.kind === 'connected') {
        this.#adopt(result.socket);
        return result;
      }
      failure = result;
    }
    return this.remember(origin.hostName, origin.port, failure);
  }

  /** Keeps a failure for those who cannot see it otherwise (a page behind a CONNECT), and gives it back. */
  remember<Failure extends EgressFailure>(hostName: string, port: number, failure: Failure): Failure {
    const key = `${normalName(hostName)}:${port}`;
    this.#failures.set(key, { failure, until: this.#clock.monotonic() + FAILURE_AGE });
    return failure;
  }

  lastFailure(hostName: string, port: number): EgressFailure | null {
    const known = this.#failures.peek(`${normalName(hostName)}:${port}`);
    return known === undefined || known.until <= this.#clock.monotonic() ? null : known.failure;
  }

  /** Ends every connection. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #adopt(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#receivedBefore += socket.bytesRead;
    });
  }
}

async function connectTo(host: string, port: number, limit: number, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, autoSelectFamily: false });
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
