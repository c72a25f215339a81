import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ExchangeRecorder } from '../model/exchange.ts';
import type { Egress, EgressOptions, NameLookup } from './egress.ts';
import { METADATA_NAMES } from './gate/address-guard.ts';
import { DnsCache, normalName, type NameResolver } from './gate/dns-cache.ts';
import { GuardedConnector } from './gate/guarded-connector.ts';
import { guardedDispatcher } from './gate/guarded-dispatcher.ts';
import { limitInterimAnswers } from './gate/interim-limit.ts';
import { repeatOnDeadConnection } from './gate/kept-connections.ts';
import { refuseNul } from './gate/lenient-parser.ts';
import { RequestPace } from './gate/request-pace.ts';
import { systemResolver } from './gate/system-resolver.ts';
import { faultGuard } from './proxy/fault-guard.ts';
import { openForwardProxy } from './proxy/forward-proxy.ts';
import { addresslessRecorder } from './record/addressless-recorder.ts';
import { recordingInterceptor } from './record/recording-interceptor.ts';
import { openAuthority } from './tls/crawl-authority.ts';
import { OriginTls } from './tls/origin-tls.ts';
import type { UpstreamFault } from './upstream/upstream-fault.ts';
import { UpstreamWay } from './upstream/upstream-way.ts';

interface EgressDependencies {
  readonly log: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the hosts file and the DNS servers of the system. */
  readonly resolver?: NameResolver;
  /** PEM of certificate authorities that our own HTTP, and opened tunnels, trust instead of the usual ones. */
  readonly trusted?: readonly string[];
  /** Receives every exchange; tunnels are opened for it. Default: none. */
  readonly recorder?: ExchangeRecorder | null;
  /** Hears of each refused endpoint of a private range in which another one is granted. Default: nobody. @param name its address, or `localhost` */
  readonly onRefusedNear?: (name: string, port: number) => void;
}

async function lookUp(names: DnsCache, hostName: string, signal: AbortSignal): Promise<NameLookup> {
  if (METADATA_NAMES.has(normalName(hostName))) return { kind: 'no-address' };
  const resolution = await names.resolveAnew(hostName, signal);
  if (resolution.kind === 'unresolvable') return { ...resolution, kind: 'failed' };
  // servers change the order from answer to answer
  const address = resolution.addresses.toSorted()[0] ?? hostName;
  // a server of this machine is one, whether it is named [::1] or localhost
  return { kind: 'address', address: address === '::1' ? '127.0.0.1' : address };
}

function upstreamOf(
  { upstream = null }: EgressOptions,
  names: DnsCache,
  { clock, trusted }: { readonly clock: Clock; readonly trusted: readonly string[] | null },
): UpstreamWay | null {
  return upstream === null ? null : new UpstreamWay(upstream, { names, trusted, now: () => clock.monotonic() });
}

async function subresourceTurn(pace: RequestPace, url: string, signal: AbortSignal): Promise<void> {
  const { hostname: hostName, port, protocol } = new URL(url);
  await pace.turn({ hostName, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }, signal);
}

async function tryUpstream(
  connector: GuardedConnector,
  origin: { readonly hostName: string; readonly port: number } | null,
  signal: AbortSignal,
): Promise<UpstreamFault | null> {
  if (origin === null) return await connector.tryUpstream(null, signal);
  const verdict = await connector.judge(origin.hostName, origin.port, signal);
  const address = verdict.kind === 'allowed' ? verdict.addresses[0] : undefined;
  return address === undefined ? null : await connector.tryUpstream({ address, port: origin.port }, signal);
}

const JUDGES_OF_HEADS = [limitInterimAnswers, refuseNul] as const;

/**
 * Opens the egress gate: the proxy listens when this returns. Disposing it ends every connection through it.
 * @throws {CrawlError} USAGE where a grant is not an address or a network
 */
export async function openEgress(options: EgressOptions, dependencies: EgressDependencies): Promise<Egress> {
  const clock = dependencies.clock ?? systemClock;
  const resolver = dependencies.resolver ?? systemResolver({ now: () => clock.monotonic() });
  const names = new DnsCache(resolver, clock, options.resolveTimeout);
  const upstream = upstreamOf(options, names, { clock, trusted: dependencies.trusted ?? null });
  const connector = new GuardedConnector(
    { ...options, directPorts: options.directPorts ?? [], localAddress: options.localAddress ?? null },
    { names, clock, log: dependencies.log, upstream, onRefusedNear: dependencies.onRefusedNear ?? (() => {}) },
  );
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every connection that is being opened listens
  const handshakeTimeout = options.connectTimeout;
  const originTls = new OriginTls(connector, { handshakeTimeout, trusted: dependencies.trusted ?? null });
  let ownRequests = 0;
  const agent = guardedDispatcher(connector, originTls, stop.signal);
  const given = dependencies.recorder ?? null;
  const recorder = given === null || upstream === null ? given : addresslessRecorder(given);
  const guard = faultGuard(dependencies.log);
  const dispatcher = agent.compose(
    repeatOnDeadConnection,
    ...JUDGES_OF_HEADS,
    ...(recorder === null ? [] : [recordingInterceptor(recorder, clock, guard)]),
    (dispatch) => (request, handler) => {
      ownRequests += 1;
      return dispatch(request, handler);
    },
  );
  const pace = new RequestPace(options.subRequests ?? (() => null), clock);
  const authority = recorder === null ? null : await openAuthority(clock);
  const proxy = await openForwardProxy({
    connector,
    originTls,
    pace,
    clock,
    recorder,
    authority,
    handshakeTimeout,
    guard,
    log: dependencies.log,
  });
  return {
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    proxyCredential: proxy.credential,
    serve: (listener) => proxy.serve(listener),
    authority,
    dispatcher,
    check: async (hostName, port, signal) => {
      // each try of a visit asks again where no answer came; the verdict then finds the answer in the cache
      if (!METADATA_NAMES.has(normalName(hostName))) await names.resolveAnew(hostName, signal);
      return await connector.judge(hostName, port, signal);
    },
    tryUpstream: (origin, signal) => tryUpstream(connector, origin, signal),
    lookUp: (hostName, signal) => lookUp(names, hostName, signal),
    grant: (grant) => connector.grant(grant),
    holdsBack: (hostName, port) => pace.holdsBack(hostName, port),
    subresourceTurn: (url, signal) => subresourceTurn(pace, url, signal),
    bodyArrives: (url) => (authority === null && url.startsWith('https:') ? null : proxy.arriving.has(url)),
    lastFailure: (hostName, port) => connector.lastFailure(hostName, port),
    counts: () => ({
      requests: proxy.requests + ownRequests,
      refused: connector.refused,
      received: connector.received,
    }),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the egress is closed'));
      await proxy[Symbol.asyncDispose]();
      await agent.destroy();
      connector.destroy();
    },
  };
}
