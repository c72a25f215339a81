/**
 * Decides which addresses may be connected to: those that are globally routable by the IANA registries of special-purpose
 * addresses (RFC 6890; design/reliability, "Egress"), and those that the crawl was granted. Pure: it judges the very address
 * that is connected to.
 */
import { isPort, type AddressGrants, type ReadGrant } from './address-grants.ts';
import {
  contains,
  embeddedIpv4,
  parseIpAddress,
  parseIpNetwork,
  type IpAddress,
  type IpNetwork,
} from './ip-address.ts';

type AddressJudgement =
  | { readonly kind: 'allowed' }
  /** `range` names the rule for people: `loopback 127.0.0.0/8`, `port 25`. */
  | { readonly kind: 'blocked'; readonly range: string };

/** Grants and closed ports. */
export interface AddressPolicy {
  readonly grants: AddressGrants;
  /** Ports that are never connected to on an address that is not globally routable. */
  readonly closedPorts: ReadonlySet<number>;
  /** Endpoints that are never connected to, whatever is granted: those of a proxy of the user. */
  readonly closedEndpoints: readonly ClosedEndpoint[];
}

export interface ClosedEndpoint {
  readonly network: IpNetwork;
  readonly port: number;
}

/** May this address be connected to at this port? A text that is no IP address is blocked. */
export function judgeAddress(text: string, port: number, policy: AddressPolicy): AddressJudgement {
  const parsed = parseIpAddress(text);
  if (parsed === null) return blocked('not an IP address');
  const address = unmapped(parsed);
  const isClosed = (each: ClosedEndpoint): boolean =>
    each.port === port && formsOf(address).some((form) => contains(each.network, form));
  if (policy.closedEndpoints.some(isClosed)) return blocked(`port ${port} of the proxy`);
  const range = specialRangeOf(address);
  if (range !== null && policy.closedPorts.has(port)) return blocked(`closed port ${port} of ${range}`);
  const grants = policy.grants.of(address).filter(({ network }) => !isTooWide(network, address));
  if (grants.some((grant) => grant.port === port)) return { kind: 'allowed' };
  if (range !== null && !grants.some((grant) => grant.port === null)) return blocked(range);
  return isOpenPort(port) ? { kind: 'allowed' } : blocked(`port ${port}`);
}

/** Is loopback the one reason, and a grant would open it? */
export function isUngrantedLoopback({ range }: { readonly range: string }): boolean {
  return range.startsWith('loopback ');
}

/** The special range that a grant is in, as a refusal names it; null for a global one. */
export function rangeOfGrant({ network }: ReadGrant): string | null {
  return specialRangeOf(network);
}

/** Names that a cloud answers with its metadata service: refused before they are resolved. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
  'instance-data',
]);

/** Is it a metadata service of a cloud, under any of its names and addresses? @param text in the form of normalName */
export function isMetadataService(text: string): boolean {
  const address = parseIpAddress(text);
  return address === null ? METADATA_NAMES.has(text) : isMetadataAddress(unmapped(address));
}

/** ::ffff:0:0/96 is the same IPv4 socket under another name, so grants see through it; the translators below it do not. */
function unmapped(address: IpAddress): IpAddress {
  return contains(MAPPED, address) ? embeddedIpv4(address, 0) : address;
}

/** The special range that an address is in, in words; null where it is globally routable. */
function specialRangeOf(address: IpAddress): string | null {
  for (const { network, name } of SPECIAL_RANGES) {
    if (contains(network, address)) return name;
  }
  if (address.family === 4) return null;
  for (const { network, name, shift } of TRANSLATIONS) {
    if (!contains(network, address)) continue;
    const inner = specialRangeOf(embeddedIpv4(address, shift));
    return inner === null ? null : `${name}, within it ${inner}`;
  }
  return contains(GLOBAL_UNICAST, address) ? null : 'outside global unicast 2000::/3';
}

/** The address, and the address that packets to it are sent on to. */
function formsOf(address: IpAddress): readonly IpAddress[] {
  const translation = TRANSLATIONS.find(({ network }) => contains(network, address));
  return translation === undefined ? [address] : [address, embeddedIpv4(address, translation.shift)];
}

function isOpenPort(port: number): boolean {
  return port === 80 || port === 443 || (isPort(port) && port > 1023 && !UNSAFE_PORTS.has(port));
}

/** A metadata service hands out credentials: a wide grant does not open it, only a grant of its own address does. */
function isTooWide(network: IpNetwork, address: IpAddress): boolean {
  return network.bits < (address.family === 4 ? 32 : 128) && isMetadataAddress(address);
}

function isMetadataAddress(address: IpAddress): boolean {
  return formsOf(address).some((form) => METADATA_ADDRESSES.some((each) => contains(each, form)));
}

function blocked(range: string): AddressJudgement {
  return { kind: 'blocked', range };
}

function network(cidr: string): IpNetwork {
  const parsed = parseIpNetwork(cidr);
  if (parsed === null) throw new TypeError(`not a network: ${cidr}`);
  return parsed;
}

function named(entry: string): { readonly network: IpNetwork; readonly name: string } {
  return { network: network(entry.slice(entry.lastIndexOf(' ') + 1)), name: entry };
}

/** Chromium's restricted ports above 1023 (net/base/port_util.cc): other protocols that a request could be mistaken for. */
const UNSAFE_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

const MAPPED = network('::ffff:0:0/96');
const GLOBAL_UNICAST = network('2000::/3');

/** Networks whose addresses hold an IPv4 address that packets are sent on to; `shift` bits stand to its right. */
const TRANSLATIONS = [
  { ...named('NAT64 64:ff9b::/96'), shift: 0 },
  { ...named('6to4 2002::/16'), shift: 80 },
] as const;

const METADATA_ADDRESSES: readonly IpNetwork[] = [
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
].map(network);

/** IANA IPv4 and IPv6 special-purpose address registries; the few globally reachable entries in them are left out. */
const SPECIAL_RANGES = [
  'this network 0.0.0.0/8',
  'private 10.0.0.0/8',
  'shared (carrier-grade NAT) 100.64.0.0/10',
  'loopback 127.0.0.0/8',
  'cloud platform 168.63.129.16/32',
  'link-local 169.254.0.0/16',
  'private 172.16.0.0/12',
  'IETF protocol assignments 192.0.0.0/24',
  'documentation 192.0.2.0/24',
  '6to4 relay 192.88.99.0/24',
  'private 192.168.0.0/16',
  'benchmarking 198.18.0.0/15',
  'documentation 198.51.100.0/24',
  'documentation 203.0.113.0/24',
  'multicast 224.0.0.0/4',
  'reserved 240.0.0.0/4',
  'unspecified ::/128',
  'loopback ::1/128',
  'IPv4-compatible ::/96',
  'IPv4-mapped ::ffff:0:0/96',
  'local NAT64 64:ff9b:1::/48',
  'discard-only 100::/64',
  'Teredo 2001::/32',
  'IETF protocol assignments 2001::/23',
  'documentation 2001:db8::/32',
  'documentation 3fff::/20',
  'segment routing 5f00::/16',
  'unique local fc00::/7',
  'link-local fe80::/10',
  'site-local fec0::/10',
  'multicast ff00::/8',
].map(named);
