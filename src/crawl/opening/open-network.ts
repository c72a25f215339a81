/** Opens a crawl's way to the network: the gate, the grants for its seeds, robots.txt. */
import { isIP } from 'node:net';
import { isLocalhost, LOCALHOST_ADDRESSES } from '../../base/loopback-name.ts';
import { milliseconds, seconds } from '../../base/units.ts';
import type { Log } from '../../base/log.ts';
import { AT_A_TIME } from '../../dispatch/name-lookups.ts';
import { allowAllUrls, createRobotsChecker, type RobotsChecker } from '../../dispatch/robots-checker.ts';
import type { Egress } from '../../egress/egress.ts';
import { isMetadataService } from '../../egress/gate/address-guard.ts';
import { normalName } from '../../egress/gate/dns-cache.ts';
import { openEgress } from '../../egress/open-egress.ts';
import { openRobotsSource } from '../../fetch/robots-source.ts';
import { redisRobotsStore } from '../../fetch/robots-store.ts';
import { canonicalise, type CanonicalUrl } from '../../model/url/canonical-url.ts';
import { endpointOf, hostKeyOf } from '../../model/url/host-key.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import type { Identity } from '../../options/identity.ts';
import type { ParsedOptions } from '../../options/options.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import type { ContextParts } from './context-parts.ts';
import type { DeferredRecorder } from './deferred-recorder.ts';
import { subRequestRate, type RequestShare } from './politeness-policy.ts';
import type { ServedSites } from './serve-folders.ts';
import type { Notes } from '../summary/notes.ts';
import { privateAddressNote } from '../summary/private-address-note.ts';
import { userProxyOf } from './user-proxy.ts';

const CONNECT_TIMEOUT = seconds(10);
const RESOLVE_TIMEOUT = seconds(10);
/** A seed's name may have several private addresses; more than these are not granted. */
const SEED_ADDRESSES = 16;
const REDIS_PORT = 6379;

/** The way out, through the gate that judges addresses. @param share see RequestShare */
export function openGateway(
  { grants, options }: CrawlPlan,
  {
    served,
    recorder,
    share,
    notes,
  }: {
    readonly served: Pick<ServedSites, 'grants' | 'served'>;
    readonly recorder: DeferredRecorder | null;
    readonly share: RequestShare;
    readonly notes: Notes;
  },
  log: Log,
): Promise<Egress> {
  return openEgress(
    {
      grants: [...grants, ...served.grants],
      closedPorts: ownPorts(options),
      connectTimeout: CONNECT_TIMEOUT,
      resolveTimeout: RESOLVE_TIMEOUT,
      subRequests: subRequestRate(options, share),
      upstream: userProxyOf(options),
      directPorts: served.served.map(({ port }) => port),
      localAddress: options.egressAddress ?? null,
    },
    { log, recorder, onRefusedNear: privateAddressNote(notes) },
  );
}

/** Ports of this program and its Redis: no page needs them. */
function ownPorts({ redis, metrics }: ParsedOptions): readonly number[] {
  return [
    ...(redis === undefined ? [] : [Number(new URL(redis).port) || REDIS_PORT]),
    ...(metrics === undefined ? [] : [Number(/\d+$/.exec(metrics)?.[0])]),
  ];
}

/** {@link grantSeed} for each host of the seeds once, several at a time: a name without an answer delays no others. */
export async function grantSeeds(egress: Egress, seeds: readonly CanonicalUrl[], signal: AbortSignal): Promise<void> {
  const ofHosts = new Map(seeds.map((seed) => [hostKeyOf(seed), seed])).values();
  const granting = async (): Promise<void> => {
    for (const seed of ofHosts) await grantSeed(egress, seed, signal);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, granting));
}

/**
 * A seed that is a private address was named by the user: its own address and port are allowed, no others. A name that leads to a metadata
 * service is not what the user named, but a site that wants this machine's credentials.
 */
export async function grantSeed(egress: Egress, seed: CanonicalUrl, signal: AbortSignal): Promise<void> {
  const { hostName, port } = endpointOf(seed);
  // where one address is granted, the check does not ask for the other
  if (isLocalhost(normalName(hostName))) for (const cidr of LOCALHOST_ADDRESSES) egress.grant({ cidr, port });
  for (let granted = 0; granted < SEED_ADDRESSES; granted += 1) {
    const verdict = await egress.check(hostName, port, signal);
    if (verdict.kind !== 'blocked') return;
    const address = normalName(verdict.address);
    if (isMetadataService(address) && (isIP(address) === 0 || address !== normalName(hostName))) return;
    egress.grant({ cidr: verdict.address, port });
  }
}

interface RobotsNeeds extends ContextParts {
  readonly egress: Egress;
  readonly identity: Identity;
  /** A host that asks for a password asks for it before its robots.txt, too. */
  readonly httpAuth: UserHeaders;
  readonly client: RedisConnection['client'];
  readonly prefix: string;
}

/** Robots.txt of the crawl's hosts, as it is known to all its processes. */
export function openRobotsChecker(
  options: ParsedOptions,
  { egress, identity, httpAuth, client, prefix, clock, log }: RobotsNeeds,
): RobotsChecker {
  if (!options.robots) return allowAllUrls;
  const store = redisRobotsStore(client, prefix);
  const maxRetryAfter = milliseconds(options.maxRetryAfter);
  const { userAgent } = identity;
  const source = openRobotsSource({ egress, userAgent, headers: httpAuth, store, clock, log, maxRetryAfter });
  return createRobotsChecker(source, identity.robotsAgent, clock);
}

/** `--sitemap`: URLs as they are, paths on each host of the seeds. */
export function namedSitemaps(
  { options, urlPolicy }: CrawlPlan,
  seeds: readonly CanonicalUrl[],
): readonly CanonicalUrl[] {
  const urls = options.sitemaps.flatMap((place) =>
    place.startsWith('/') ? seeds.map((seed) => `${hostKeyOf(seed)}${place}`) : [place],
  );
  const named = urls.map((url) => canonicalise(url, undefined, urlPolicy));
  return [...new Set(named.flatMap((result) => (result.kind === 'canonical' ? [result.url] : [])))];
}
