/**
 * The way through a proxy of the user (`--proxy`). It is behind the gate: names are resolved and addresses judged before, and the proxy
 * is asked for the address that was judged. The user gave the proxy's own address, which is not judged; it may be private.
 */
import type { Socket } from 'node:net';
import { milliseconds } from '../../base/units.ts';
import type { UpstreamProxy } from '../../model/upstream-proxy.ts';
import type { EgressFailure } from '../egress.ts';
import type { ClosedEndpoint } from '../gate/address-guard.ts';
import type { Connection } from '../gate/connection.ts';
import { normalName, type DnsCache } from '../gate/dns-cache.ts';
import type { SocketTarget } from '../gate/open-socket.ts';
import { shakeHands } from '../tls/handshake.ts';
import { askForTunnel } from './http-connect.ts';
import { closedEndpoints } from './proxy-endpoints.ts';
import { askForConnection } from './socks5.ts';
import type { UpstreamFault } from './upstream-fault.ts';
import { WireEnded, WireGarbage } from './wire-reader.ts';

/** Opens TCP connections in the connector's own way, so that the connector knows them all. */
export type Dial = (target: SocketTarget, limit: number, signal: AbortSignal) => Promise<Connection>;

type UpstreamConnection = { readonly kind: 'connected'; readonly socket: Socket } | UpstreamFault;

interface UpstreamParts {
  readonly names: DnsCache;
  /** PEM of certificate authorities that are trusted instead of the usual ones. */
  readonly trusted: readonly string[] | null;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Addresses of the proxy that are tried for one connection. */
const ADDRESS_TRIES = 4;

export class UpstreamWay {
  readonly #proxy: UpstreamProxy;
  readonly #parts: UpstreamParts;
  #closed: readonly ClosedEndpoint[] = [];
  readonly #known = new Set<string>();

  constructor(proxy: UpstreamProxy, parts: UpstreamParts) {
    this.#proxy = proxy;
    this.#parts = parts;
  }

  /** The proxy's own endpoints, which no page may reach: those of all addresses that it was known by so far. */
  get closed(): readonly ClosedEndpoint[] {
    return this.#closed;
  }

  /** Finds out the proxy's addresses, and closes them to pages. @throws the signal's reason */
  async locate(signal: AbortSignal): Promise<readonly string[] | UpstreamFault> {
    const resolution = await this.#parts.names.resolve(this.#proxy.hostName, signal);
    if (resolution.kind === 'unresolvable') {
      return { kind: 'unreachable', detail: `cannot be found: ${resolution.detail}` };
    }
    const fresh = resolution.addresses.filter((address) => !this.#known.has(address));
    for (const address of fresh) this.#known.add(address);
    if (fresh.length > 0) this.#closed = [...this.#closed, ...closedEndpoints(fresh, this.#proxy.port)];
    return resolution.addresses;
  }

  /**
   * A connection to an address, by way of the proxy.
   * @param target null for one that ends at the proxy; @param limit milliseconds; @throws the signal's reason
   */
  async open(target: SocketTarget | null, dial: Dial, limit: number, signal: AbortSignal): Promise<UpstreamConnection> {
    const end = this.#parts.now() + limit;
    const left = (): number => Math.max(1, end - this.#parts.now());
    const addresses = await this.locate(signal);
    if ('kind' in addresses) return addresses;
    const tries = addresses.slice(0, ADDRESS_TRIES);
    let fault: UpstreamFault = { kind: 'unreachable', detail: 'cannot be reached' };
    for (const [index, address] of tries.entries()) {
      const share = left() / (tries.length - index);
      // oxlint-disable-next-line no-await-in-loop -- one after the other: the next only if this one fails
      const dialled = await dial({ address, port: this.#proxy.port }, share, signal);
      // oxlint-disable-next-line no-await-in-loop -- the last of the loop
      if (dialled.kind === 'connected') return await this.#speak(dialled.socket, target, left(), signal);
      // A machine without IPv6 has no way to ::1: what the proxy itself did says more.
      if (index === 0 || dialled.kind === 'blocked' || dialled.failure !== 'other')
        fault = { kind: 'unreachable', detail: `cannot be reached: ${dialled.detail}` };
    }
    return fault;
  }

  /** The fault as a failure of the gate. */
  failureOf(fault: UpstreamFault): EgressFailure {
    return { kind: 'failed', failure: 'proxy', detail: `the proxy ${this.#proxy.name} ${fault.detail}` };
  }

  async #speak(
    wire: Socket,
    target: SocketTarget | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<UpstreamConnection> {
    let isLate = false;
    const stop = (): void => void wire.destroy();
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, limit);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const secured = await this.#secured(wire, limit);
      if (secured.kind !== 'connected') return isLate ? tooLate(limit) : secured;
      const fault = await this.#ask(secured.socket, target);
      if (fault === null && !wire.destroyed) return secured;
      stop();
      return fault ?? tooLate(limit);
    } catch (error) {
      stop();
      signal.throwIfAborted();
      if (isLate) return tooLate(limit);
      if (error instanceof WireEnded) return { kind: 'bad-answer', detail: 'ends the connection without an answer' };
      if (error instanceof WireGarbage) return { kind: 'bad-answer', detail: 'does not answer as such a proxy does' };
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** The connection over which the proxy is asked. */
  async #secured(wire: Socket, limit: number): Promise<UpstreamConnection> {
    if (this.#proxy.scheme !== 'https') return { kind: 'connected', socket: wire };
    const { trusted } = this.#parts;
    const name = normalName(this.#proxy.hostName);
    const secured = await shakeHands(wire, name, { handshakeTimeout: milliseconds(limit), trusted });
    if (secured.kind !== 'connected') return { kind: 'tls', detail: `is not accepted over TLS: ${secured.detail}` };
    secured.socket.once('close', () => wire.destroy());
    return secured;
  }

  async #ask(socket: Socket, target: SocketTarget | null): Promise<UpstreamFault | null> {
    if (target === null) return null;
    const ask = this.#proxy.scheme === 'socks5' ? askForConnection : askForTunnel;
    return await ask(socket, target, this.#proxy.credential);
  }
}

function tooLate(limit: number): UpstreamFault {
  return { kind: 'silent', detail: `did not answer within ${Math.round(limit)} ms` };
}
