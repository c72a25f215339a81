/**
 * Resolves names as the machine does: its hosts file, then its DNS servers through c-ares, which occupies no thread of libuv; then, for
 * names that they do not know, the system's resolver.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { seconds, type Milliseconds } from '../../base/units.ts';
import { detailOf, errorCodeOf } from '../network-failure.ts';
import type { NameAnswer, NameResolver } from './dns-cache.ts';
import { parseIpAddress } from './ip-address.ts';
import { systemLookups, type AskSystem } from './system-lookups.ts';

/** Time limit of one question to one server; c-ares doubles it with each try. */
const QUERY_TIMEOUT = seconds(2);
const QUERY_TRIES = 2;
/** Time after which the hosts file is read again. */
const HOSTS_AGE: Milliseconds = seconds(30);

interface SystemResolverOptions {
  /** Default `/etc/hosts`; a file that is not there is an empty one. */
  readonly hostsFile?: string;
  /** `address[:port]` of the DNS servers; default: the system's. */
  readonly servers?: readonly string[];
  /** Default: getaddrinfo. */
  readonly askSystem?: AskSystem;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Sources {
  readonly resolver: Resolver;
  readonly system: AskSystem;
  /** The same, a few questions at a time; without addresses where there are none. */
  readonly systemAtLast: AskSystem;
}

export function systemResolver(options: SystemResolverOptions): NameResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT, tries: QUERY_TRIES });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const system = options.askSystem ?? addressesBySystem;
  const sources: Sources = { resolver, system, systemAtLast: systemLookups(system) };
  const hosts = hostsReader(options.hostsFile ?? '/etc/hosts', options.now);
  return {
    resolve: async (name) => {
      const own = (await hosts()).get(name);
      return own === undefined ? await askServers(name, sources) : { kind: 'addresses', addresses: own, ttl: null };
    },
  };
}

async function askServers(name: string, { resolver, system, systemAtLast }: Sources): Promise<NameAnswer> {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ]);
  const records = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (records.length > 0) {
    const ttl = seconds(Math.max(0, Math.min(...records.map((record) => record.ttl))));
    return { kind: 'addresses', addresses: records.map(({ address }) => address), ttl };
  }
  const [code, code6] = [v4, v6].map((each) => (each.status === 'rejected' ? errorCodeOf(each.reason) : null));
  // No server listens where c-ares looks for one, or the name needs a search list: only the system's resolver can know.
  if (code === 'ECONNREFUSED' || !name.includes('.')) return await askSystemAlone(name, system);
  const detail = resolutionWords(name, code ?? '');
  if (code === 'ENOTFOUND' || (isNoData(code) && (isNoData(code6) || code6 === 'ENOTFOUND'))) {
    // design/reliability, "Egress": names that only the system resolves
    const addresses = await systemAtLast(name);
    return addresses.length === 0 ? { kind: 'none', detail } : { kind: 'addresses', addresses, ttl: null };
  }
  throw new Error(detail, { cause: v4.status === 'rejected' ? v4.reason : null });
}

function isNoData(code: string | null | undefined): boolean {
  return code === null || code === 'ENODATA';
}

async function addressesBySystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

async function askSystemAlone(name: string, system: AskSystem): Promise<NameAnswer> {
  try {
    return { kind: 'addresses', addresses: await system(name), ttl: null };
  } catch (error) {
    if (errorCodeOf(error) === 'ENOTFOUND') return { kind: 'none', detail: detailOf(error) };
    throw error;
  }
}

/** The reason why a name has no address, for people; c-ares says `queryA ENOTFOUND`. */
export function resolutionWords(name: string, code: string): string {
  if (code === 'ENOTFOUND') return `the name ${name} does not exist (ENOTFOUND)`;
  if (code === '' || code === 'ENODATA') return `the name ${name} has no address`;
  return `the DNS servers did not resolve ${name} (${code})`;
}

function hostsReader(file: string, now: () => number): () => Promise<ReadonlyMap<string, readonly string[]>> {
  let hosts: Promise<ReadonlyMap<string, readonly string[]>> | null = null;
  let readAt = 0;
  return () => {
    if (hosts === null || now() - readAt > HOSTS_AGE) {
      readAt = now();
      hosts = readFile(file, 'utf8').then(parseHosts, () => new Map<string, readonly string[]>());
    }
    return hosts;
  };
}

/** Names (lower case) and their addresses in the order of the file; a name may stand in several lines (hosts(5)). */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (parseIpAddress(address) === null) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}
