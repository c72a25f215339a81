/** IP addresses and networks as numbers, so that "is it in this range" is one comparison. Pure. */
import { isIPv4, isIPv6 } from 'node:net';

export interface IpAddress {
  readonly family: 4 | 6;
  /** 32 or 128 bits, network order. */
  readonly value: bigint;
}

export interface IpNetwork extends IpAddress {
  /** Length of the prefix in bits: 0 to 32 or 128. */
  readonly bits: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/** Reads an address as it stands in a URL or in an answer of the DNS; null where it is not one (or has a zone). */
export function parseIpAddress(text: string): IpAddress | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIPv4(bare)) return { family: 4, value: valueOfIpv4(bare) };
  if (bare.includes('%') || !isIPv6(bare)) return null;
  return { family: 6, value: valueOfIpv6(bare) };
}

/** Reads `10.0.0.0/8`, or a single address; null where it is neither. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const address = match?.[1] === undefined ? null : parseIpAddress(match[1]);
  if (address === null) return null;
  const bits = match?.[2] === undefined ? WIDTH[address.family] : Number(match[2]);
  return bits > WIDTH[address.family] ? null : { ...address, bits };
}

export function contains(network: IpNetwork, address: IpAddress): boolean {
  if (network.family !== address.family) return false;
  return prefixOf(network, network.bits) === prefixOf(address, network.bits);
}

/** The first bits of an address. @param bits how many: 0 to 32 or 128 */
export function prefixOf(address: IpAddress, bits: number): bigint {
  return address.value >> BigInt(WIDTH[address.family] - bits);
}

/** The IPv4 address in 32 of the bits of another address. @param shift how many bits stand to the right of it */
export function embeddedIpv4(address: IpAddress, shift: number): IpAddress {
  return { family: 4, value: (address.value >> BigInt(shift)) & 0xffffffffn };
}

function valueOfIpv4(text: string): bigint {
  return text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function valueOfIpv6(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted?.[1] !== undefined && dotted[2] !== undefined) {
    const low = valueOfIpv4(dotted[2]);
    return valueOfIpv6(`${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`);
  }
  const [head = '', tail] = text.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0n);
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}

/** The bytes of an address, 4 or 16, in network order. @throws {TypeError} where it is not one */
export function bytesOfAddress(text: string): readonly number[] {
  const address = parseIpAddress(text);
  if (address === null) throw new TypeError('not an IP address');
  const count = WIDTH[address.family] / 8;
  return Array.from({ length: count }, (_, index) =>
    Number((address.value >> BigInt(8 * (count - 1 - index))) & 0xffn),
  );
}
