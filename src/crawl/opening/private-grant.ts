import { isIP } from 'node:net';
import { CrawlError } from '../../base/errors.ts';
import { LOCALHOST_ADDRESSES } from '../../base/loopback-name.ts';
import type { AddressGrant } from '../../egress/egress.ts';

/**
 * Reads a value of `--allow-private`: `10.0.0.0/8`, `192.168.1.20`, `127.0.0.1:4000`, `[fd00::1]:8080`, `localhost`.
 * @returns one grant; for `localhost` one for each of its addresses
 * @throws {CrawlError} USAGE
 */
export function readPrivateGrants(text: string): readonly AddressGrant[] {
  const match =
    /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<plain>[^[\]]+?))(?:\/(?<prefix>\d{1,3}))?(?::(?<port>\d{1,5}))?$/.exec(text);
  const groups = match?.groups ?? {};
  const whole = isIP(text.split('/', 1)[0] ?? '') === 6 ? text : null;
  const [address = '', prefix] = whole?.split('/') ?? [groups['v6'] ?? groups['plain'] ?? '', groups['prefix']];
  const known = address === 'localhost' ? '127.0.0.1' : address;
  const bits = isIP(known) === 4 ? 32 : 128;
  const port = whole === null && groups['port'] !== undefined ? Number(groups['port']) : null;
  const prefixLength = prefix === undefined ? bits : Number(prefix);
  if (isIP(known) === 0 || !(prefixLength <= bits) || (port !== null && (port < 1 || port > 65_535))) {
    throw new CrawlError(
      'USAGE',
      `allowPrivate: ${JSON.stringify(text)} is not accepted: give an address or a network, with a port if only that one is meant (10.0.0.0/8, 127.0.0.1:4000, [fd00::1]:80)`,
      { data: { option: 'allowPrivate' } },
    );
  }
  if (address === 'localhost' && prefix === undefined) return LOCALHOST_ADDRESSES.map((cidr) => ({ cidr, port }));
  return [{ cidr: prefix === undefined ? known : `${known}/${prefix}`, port }];
}
