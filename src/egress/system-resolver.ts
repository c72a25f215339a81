/** The machine's own names: its hosts file, then its DNS servers through c-ares, which occupies no thread of libuv. */
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { seconds, type Milliseconds } from '../base/units.ts';
import type { NameResolver } from './dns-cache.ts';
import { errorCodeOf } from './network-failure.ts';
import { parseIpAddress } from './ip-address.ts';

/** Of one question to one server; c-ares doubles it from try to try. */
const QUERY_TIMEOUT = seconds(2);
const QUERY_TRIES = 2;
/** How long the hosts file counts as read. */
const HOSTS_AGE: Milliseconds = seconds(30);

export interface SystemResolverOptions {
  /** Default `/etc/hosts`; a file that is not there is an empty one. */
  readonly hostsFile?: string;
  /** `address[:port]` of the DNS servers; default: the system's. */
  readonly servers?: readonly string[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export function systemResolver(options: SystemResolverOptions): NameResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT, tries: QUERY_TRIES });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const hosts = hostsReader(options.hostsFile ?? '/etc/hosts', options.now);
  return {
    resolve: async (name) => (await hosts()).get(name) ?? (await askServers(resolver, name)),
  };
}

async function askServers(resolver: Resolver, name: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length > 0) return addresses;
  const error: unknown = v4.status === 'rejected' ? v4.reason : null;
  // No server listens where c-ares looks for one, or the name needs a search list: only the system's own way can know.
  if (errorCodeOf(error) === 'ECONNREFUSED' || !name.includes('.')) {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  }
  throw new Error(resolutionWords(name, errorCodeOf(error) ?? ''), { cause: error });
}

/** Why a name has no address, for people; c-ares says `queryA ENOTFOUND`. */
export function resolutionWords(name: string, code: string): string {
  if (code === 'ENOTFOUND') return `the name ${name} does not exist (ENOTFOUND)`;
  if (code === '' || code === 'ENODATA') return `the name ${name} has no address`;
  return `the DNS servers do not tell the address of ${name} (${code})`;
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
