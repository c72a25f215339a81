/** The addresses and ports that a crawl was granted, found by an address: a broad crawl of private hosts has thousands of them. */
import { CrawlError } from '../../base/errors.ts';
import type { AddressGrant } from '../egress.ts';
import { parseIpNetwork, prefixOf, type IpAddress, type IpNetwork } from './ip-address.ts';

export interface ReadGrant {
  readonly network: IpNetwork;
  readonly port: number | null;
}

export class AddressGrants {
  /** By family and length of the prefix, then by the prefix: as many questions for an address as there are lengths. */
  readonly #byLength = new Map<string, { readonly length: IpNetwork; readonly byPrefix: Map<bigint, ReadGrant[]> }>();

  add(grant: ReadGrant): void {
    const { network } = grant;
    const key = `${network.family}/${network.bits}`;
    const known = this.#byLength.get(key) ?? { length: network, byPrefix: new Map<bigint, ReadGrant[]>() };
    this.#byLength.set(key, known);
    const prefix = prefixOf(network, network.bits);
    const grants = known.byPrefix.get(prefix);
    if (grants === undefined) known.byPrefix.set(prefix, [grant]);
    else if (grants.every(({ port }) => port !== grant.port)) grants.push(grant);
  }

  /** All grants whose network contains the address. */
  of(address: IpAddress): readonly ReadGrant[] {
    const found: ReadGrant[] = [];
    for (const { length, byPrefix } of this.#byLength.values()) {
      if (length.family === address.family) found.push(...(byPrefix.get(prefixOf(address, length.bits)) ?? []));
    }
    return found;
  }
}

/** @throws {CrawlError} USAGE where it is no address or network, or no port. */
export function readGrant(grant: AddressGrant): ReadGrant {
  const network = parseIpNetwork(grant.cidr);
  if (network === null || (grant.port !== null && !isPort(grant.port))) {
    const written = grant.port === null ? grant.cidr : `${grant.cidr}:${grant.port}`;
    throw new CrawlError(
      'USAGE',
      `"${written}" is no address or network.\nWrite 127.0.0.1, 10.0.0.0/8 or fd00::/8, with a :port where only one is meant.`,
    );
  }
  return { network, port: grant.port };
}

export function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port <= 65_535;
}
