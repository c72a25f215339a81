/**
 * The one way to a socket: resolve once, check every address, connect to an address that was checked, by way of the user's proxy
 * where there is one. Nothing else in the program opens connections to targets that a page or a server names.
 */
import { isIPv6, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isLocalhost } from '../../base/loopback-name.ts';
import { LruMap } from '../../base/lru-map.ts';
import { minutes, type Milliseconds } from '../../base/units.ts';
import type { AddressGrant, AddressVerdict, EgressFailure } from '../egress.ts';
import type { UpstreamFault } from '../upstream/upstream-fault.ts';
import type { Dial, UpstreamWay } from '../upstream/upstream-way.ts';
import { AddressGrants, readGrant } from './address-grants.ts';
import { isMetadataService, isUngrantedLoopback, judgeAddress, METADATA_NAMES, rangeOfGrant } from './address-guard.ts';
import type { Connection } from './connection.ts';
import { normalName, type DnsCache } from './dns-cache.ts';
import { openSocket, type SocketTarget } from './open-socket.ts';

interface GuardedConnectorOptions {
  readonly grants: readonly AddressGrant[];
  readonly closedPorts: readonly number[];
  readonly connectTimeout: Milliseconds;
  /** Ports on 127.0.0.1 that are reached without the proxy of the user: folders that this process serves. */
  readonly directPorts: readonly number[];
  /** The address of this machine that connections go out by, except those to `directPorts`; null where the system chooses it. */
  readonly localAddress: string | null;
}

interface GuardedConnectorDependencies {
  readonly names: DnsCache;
  readonly clock: Clock;
  readonly log: Log;
  /** Null where there is no proxy of the user. */
  readonly upstream: UpstreamWay | null;
  /** Hears of each refused endpoint of a range in which another one is granted, but of no metadata service. @param name its address, or `localhost` */
  readonly onRefusedNear: (name: string, port: number) => void;
}

const LOOPBACK = '127.0.0.1';
/** Addresses of one name that are tried; the others are checked all the same. */
const ADDRESS_TRIES = 4;
/** Time for which a failure is remembered, and number of origins. */
const FAILURE_AGE = minutes(1);
const FAILURE_LIMIT = 1000;

export class GuardedConnector {
  readonly #names: DnsCache;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connectTimeout: Milliseconds;
  readonly #closedPorts: Set<number>;
  readonly #upstream: UpstreamWay | null;
  readonly #onRefusedNear: GuardedConnectorDependencies['onRefusedNear'];
  readonly #directPorts: ReadonlySet<number>;
  readonly #localAddress: string | null;
  readonly #grants = new AddressGrants();
  /** Special ranges with a grant: whoever is refused in one of them may have been meant, too. */
  readonly #grantedRanges = new Set<string | null>();
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
    this.#upstream = dependencies.upstream;
    this.#onRefusedNear = dependencies.onRefusedNear;
    this.#directPorts = new Set(options.directPorts);
    this.#localAddress = options.localAddress;
    for (const grant of options.grants) this.grant(grant);
  }

  /** @throws {CrawlError} USAGE where the grant cannot be read */
  grant(grant: AddressGrant): void {
    const read = readGrant(grant);
    this.#grants.add(read);
    this.#grantedRanges.add(rangeOfGrant(read));
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

  /**
   * One forbidden address refuses the whole name: a mixed answer is an attack or a mistake. Of localhost, which no DNS answers, one
   * address may be granted without the other. @throws the signal's reason
   */
  async judge(hostName: string, port: number, signal: AbortSignal): Promise<AddressVerdict> {
    if (METADATA_NAMES.has(normalName(hostName))) {
      return { kind: 'blocked', address: hostName, range: 'cloud metadata service' };
    }
    await this.#upstream?.locate(signal); // the proxy's own addresses are closed from then on
    const resolution = await this.#names.resolve(hostName, signal);
    if (resolution.kind === 'unresolvable') return { kind: 'unresolvable', detail: resolution.detail };
    const closedEndpoints = this.#upstream?.closed ?? [];
    const policy = { grants: this.#grants, closedPorts: this.#closedPorts, closedEndpoints };
    const judged = resolution.addresses.map((address) => ({ address, ...judgeAddress(address, port, policy) }));
    const refused = judged.filter((each) => each.kind === 'blocked');
    const allowed = judged.filter(({ kind }) => kind === 'allowed').map(({ address }) => address);
    const [first] = refused;
    if (first === undefined) return { kind: 'allowed', addresses: allowed };
    const isHalfGranted = allowed.length > 0 && isLocalhost(normalName(hostName)) && refused.every(isUngrantedLoopback);
    return isHalfGranted ? { kind: 'allowed', addresses: allowed } : first;
  }

  /** A socket that is connected and belongs to the caller, who must listen to its errors. @throws the signal's reason */
  async connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection> {
    const verdict = await this.judge(hostName, port, signal);
    switch (verdict.kind) {
      case 'blocked': {
        this.#refused += 1;
        if (this.#grantedRanges.has(verdict.range) && !isMetadataService(verdict.address))
          this.#onRefusedNear(isLocalhost(normalName(hostName)) ? 'localhost' : verdict.address, port);
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
    const within = this.#withinReach(addresses, origin.port);
    const tries = within.slice(0, ADDRESS_TRIES);
    const end = this.#clock.monotonic() + this.#connectTimeout;
    let failure: EgressFailure =
      tries.length === 0
        ? { kind: 'failed', failure: 'other', detail: unreachableFrom(this.#localAddress ?? '', addresses) }
        : { kind: 'failed', failure: 'timeout', detail: 'no time was left to connect' };
    for (const [index, address] of tries.entries()) {
      // Each address that is left gets an equal share of the time that is left.
      const share = Math.max(1, (end - this.#clock.monotonic()) / (tries.length - index));
      // oxlint-disable-next-line no-await-in-loop -- one after the other: the next only if this one fails
      const result = await this.#open({ address, port: origin.port }, share, signal);
      if (result.kind === 'connected') return result;
      // A machine without IPv6 has no way to ::1: what the server itself did says more.
      if (index === 0 || result.kind === 'blocked' || result.failure !== 'other') failure = result;
    }
    return this.remember(origin.hostName, origin.port, failure);
  }

  /** Tries the proxy of the user, with a connection that is closed at once. @param target null for one that ends at the proxy */
  async tryUpstream(target: SocketTarget | null, signal: AbortSignal): Promise<UpstreamFault | null> {
    if (this.#upstream === null) return null;
    const result = await this.#upstream.open(target, this.#dial, this.#connectTimeout, signal);
    if (result.kind !== 'connected') return result;
    result.socket.destroy();
    return null;
  }

  /** @param target an address that was judged; @param limit milliseconds */
  async #open(target: SocketTarget, limit: number, signal: AbortSignal): Promise<Connection> {
    if (this.#isServedHere(target))
      return this.#adopted(await openSocket(target, { limit, localAddress: null }, signal));
    if (this.#upstream === null) return await this.#dial(target, limit, signal);
    const result = await this.#upstream.open(target, this.#dial, limit, signal);
    return result.kind === 'connected' ? result : this.#upstream.failureOf(result);
  }

  /** Leaves out addresses of the other family: the local address cannot reach them, and no other may be used. */
  #withinReach(addresses: readonly string[], port: number): readonly string[] {
    const local = this.#localAddress;
    // the proxy of the user connects by itself
    if (local === null || this.#upstream !== null) return addresses;
    return addresses.filter((address) => isIPv6(address) === isIPv6(local) || this.#isServedHere({ address, port }));
  }

  #isServedHere({ address, port }: SocketTarget): boolean {
    return address === LOOPBACK && this.#directPorts.has(port);
  }

  readonly #dial: Dial = async (target, limit, signal) =>
    this.#adopted(await openSocket(target, { limit, localAddress: this.#localAddress }, signal));

  #adopted(connection: Connection): Connection {
    if (connection.kind === 'connected') this.#adopt(connection.socket);
    return connection;
  }

  /** Remembers a failure that is not seen otherwise (by a page behind a CONNECT), and returns it. */
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

function unreachableFrom(local: string, addresses: readonly string[]): string {
  const [mine, theirs] = isIPv6(local) ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
  return `${addresses[0]} is an ${theirs} address, and connections go out by the ${mine} address ${local}`;
}
