/**
 * The egress gate: the only way to the network for our own requests and the browser's. It resolves a name once, checks every address,
 * and connects to the address that it checked (so that a second answer of the DNS cannot move the target).
 *
 * The browser gets `proxyUrl` as its only way out; our own HTTP gets `dispatcher`. Both end in the same `connect`.
 * A request to a refused address is answered by the proxy with status 403 and the header `x-orbweaver-refused`
 * (plain HTTP), or with a 403 to its CONNECT. An origin that fails is answered with 502, or 504 for a time-out, and the
 * header `x-orbweaver-error`, whose value is a NetworkFailure (`x-orbweaver-detail` says it in words). `lastFailure` has those that a
 * browser does not show.
 * What a browser asks for ahead of its use (`Sec-Purpose: prefetch`) is refused where the proxy sees the request (204, or 503 for a page).
 *
 * The proxy serves clients that show `proxyCredential` (Basic, RFC 7617) and answers 407 to all others on the machine.
 *
 * Tunnels (https, wss, ws) pass as bytes, unless a recorder is set (`model/exchange.ts`): then the proxy terminates TLS in the name of
 * `authority`, verifies the origin's own certificate, and relays the requests like plain ones.
 */
import type { Server } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ProxyCredential } from '../../browsers/protocol/proxy-credential.ts';
import type { Milliseconds } from '../base/units.ts';
import type { UpstreamProxy } from '../model/upstream-proxy.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';
import type { RequestRate } from './gate/token-buckets.ts';
import type { UpstreamFault } from './upstream/upstream-fault.ts';

export type AddressVerdict =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  /** Not globally reachable and not granted; `range` names it: `loopback 127.0.0.0/8`. */
  | { readonly kind: 'blocked'; readonly address: string; readonly range: string }
  | { readonly kind: 'unresolvable'; readonly detail: string };

/** Result of a look-up, by which visits are spaced per address. */
export type NameLookup =
  /** One of its addresses, the same one as long as the name has the same addresses. */
  | { readonly kind: 'address'; readonly address: string }
  /** Names of this host are not resolved. */
  | { readonly kind: 'no-address' }
  /** No address; `known` where the DNS says so, and asking again would change nothing. */
  | { readonly kind: 'failed'; readonly detail: string; readonly known: boolean };

/** An exception to the rule that only globally reachable addresses may be connected to. */
export interface AddressGrant {
  /** An address or a network: `127.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
  readonly cidr: string;
  /** The one port, or null for every port that is allowed anyway. */
  readonly port: number | null;
}

export interface EgressOptions {
  readonly grants: readonly AddressGrant[];
  /** Ports on loopback that stay closed even where a grant covers them (our Redis, our own proxy). */
  readonly closedPorts: readonly number[];
  /** How long a connection may take to open. */
  readonly connectTimeout: Milliseconds;
  /** How long a name may take to resolve. */
  readonly resolveTimeout: Milliseconds;
  /**
   * Rate at which a host is sent requests from a browser; null for no limit. Requests beyond it wait in the proxy. For https with closed
   * tunnels it counts connections, as it sees nothing else. Default: no limit.
   */
  readonly subRequests?: (hostName: string) => RequestRate | null;
  /** The user's proxy, which all connections go through, and which resolves no names. Default: none. */
  readonly upstream?: UpstreamProxy | null;
  /** The address of this machine that connections go out by; null where the system chooses it. Default: null. */
  readonly localAddress?: string | null;
  /** Ports on 127.0.0.1 that are reached without the user's proxy. Default: none. */
  readonly directPorts?: readonly number[];
}

/** The reason why an origin could not be reached. */
export type EgressFailure =
  | { readonly kind: 'blocked'; readonly detail: string }
  | { readonly kind: 'failed'; readonly failure: NetworkFailure; readonly detail: string };

/** The authority in whose name the proxy terminates TLS; its keys are in the memory of this process alone. */
export interface EgressAuthority {
  /** PEM. */
  readonly certificate: string;
  /**
   * Base64 of the SHA-256 of the SubjectPublicKeyInfo of all its certificates: only a browser behind the proxy is to trust it.
   */
  readonly keyDigest: string;
}

interface EgressCounts {
  readonly requests: number;
  readonly refused: number;
  /** Bytes received from outside. */
  readonly received: number;
}

export interface Egress extends AsyncDisposable {
  /** `http://127.0.0.1:port` of the forward proxy. */
  readonly proxyUrl: string;
  /** Without it the proxy answers 407, and does nothing. */
  readonly proxyCredential: ProxyCredential;
  /** Accepts connections of another listener as connections to the proxy. The caller closes the listener. */
  serve(listener: Server): void;
  /** Null where tunnels stay closed. */
  readonly authority: EgressAuthority | null;
  /** Dispatcher for undici: requests go straight to the checked address. */
  readonly dispatcher: Dispatcher;
  /** May this host and port be connected to? Resolves the name (cached). Never throws for what a name does. */
  check(hostName: string, port: number, signal: AbortSignal): Promise<AddressVerdict>;
  /**
   * Tries the user's proxy with a connection to a host, which is closed at once, or, for null, to itself alone. Null where it opened, where
   * the host may not be connected to, and where there is no proxy.
   */
  tryUpstream(
    origin: { readonly hostName: string; readonly port: number } | null,
    signal: AbortSignal,
  ): Promise<UpstreamFault | null>;
  /** Looks a name up; asks again for a name whose look-up failed before. Rejects with the signal's reason only. */
  lookUp(hostName: string, signal: AbortSignal): Promise<NameLookup>;
  /** Allows more; for a seed that is a private address itself. */
  grant(grant: AddressGrant): void;
  /**
   * The last refusal or failure of an origin within the last minute, in answer to any client; null where there was none.
   * A later success does not erase it: ask only after a failure.
   */
  lastFailure(hostName: string, port: number): EgressFailure | null;
  /** Do requests of a browser wait in the proxy now because their host gets no more of them? */
  holdsBack(hostName: string, port: number): boolean;
  /**
   * Waits until it is the turn of a request for a part of a page at its host, as a browser's request does in the proxy.
   * @param url absolute, of http or https @throws the signal's reason
   */
  subresourceTurn(url: string, signal: AbortSignal): Promise<void>;
  /**
   * Is an answer of this URL still on its way from its server to a browser? False for one that came whole and is not read. Null where that
   * cannot be known: for https with closed tunnels.
   */
  bodyArrives(url: string): boolean | null;
  counts(): EgressCounts;
}
