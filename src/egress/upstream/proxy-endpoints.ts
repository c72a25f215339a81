/** The endpoints at which a proxy of the user is reached. */
import { networkInterfaces } from 'node:os';
import type { ClosedEndpoint } from '../gate/address-guard.ts';
import { contains, parseIpAddress, parseIpNetwork, type IpNetwork } from '../gate/ip-address.ts';

/** Networks whose every address is this machine. */
const OWN = ['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128'];

/** A proxy on this machine is closed under all of the machine's addresses, as it may listen on all of them. */
export function closedEndpoints(addresses: readonly string[], port: number): readonly ClosedEndpoint[] {
  const own = [...OWN, ...interfaceAddresses()].flatMap(networkOf);
  const named = addresses.flatMap(networkOf);
  const isOwn = addresses.some((text) => {
    const address = parseIpAddress(text);
    return address !== null && own.some((network) => contains(network, address));
  });
  return [...named, ...(isOwn ? own : [])].map((network) => ({ network, port }));
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
}

function networkOf(text: string): readonly IpNetwork[] {
  const network = parseIpNetwork(text.replace(/%.*$/, ''));
  return network === null ? [] : [network];
}
