import { getDomain } from 'tldts';
import type { CanonicalUrl } from './canonical-url.ts';

declare const host: unique symbol;
/** scheme://host[:port], the unit of robots.txt and of politeness; the port only where it is not the scheme's default. */
export type HostKey = string & { readonly [host]: true };

declare const domain: unique symbol;
/** The registrable part of a host name (Public Suffix List); for an IP address or a local name, the name itself. */
export type RegistrableDomain = string & { readonly [domain]: true };

export function hostKeyOf(url: CanonicalUrl): HostKey {
  return url.slice(0, endOfHost(url)) as HostKey;
}

/**
 * Length of a canonical URL up to the end of its host, the first slash behind `://`. The host is cut out, not parsed again: a
 * page has hundreds of links, and a canonical URL contains its host unchanged.
 */
function endOfHost(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? url.length : slash;
}

/** Host name, and the port where it is not the scheme's default. */
export function hostWithPortOf(url: CanonicalUrl | HostKey): string {
  return url.slice(url.indexOf('://') + 3, endOfHost(url));
}

/** Reads and checks a stored host key. @throws {TypeError} where the text is not one */
export function storedHostKey(text: string): HostKey {
  if (!/^https?:\/\/[^/]+$/.test(text)) throw new TypeError(`not a stored host key: ${text.slice(0, 256)}`);
  return text as HostKey;
}

/** Path and query (and a kept hash route) of a URL: the part that distinguishes it from others of its host. Begins with a slash. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(hostKeyOf(url).length);
}

/** Host name without scheme and port. */
export function hostNameOf(url: CanonicalUrl | HostKey): string {
  const host = hostWithPortOf(url);
  const colon = host.lastIndexOf(':');
  // the colons of an IPv6 address are within brackets
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
}

/** The registrable domain. Private suffixes (github.io) count as public ones: the sites below them are separate. */
export function registrableDomainOf(url: CanonicalUrl | HostKey): RegistrableDomain {
  const name = hostNameOf(url);
  return (getDomain(name, { allowPrivateDomains: true }) ?? name) as RegistrableDomain;
}

/** Connection target of a URL: its host name (an IPv6 address in brackets), and its own port or its scheme's default. */
export function endpointOf(url: string): { readonly hostName: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { hostName: hostname, port: port === '' ? usual : Number(port) };
}
