import { getDomain } from 'tldts';
import type { CanonicalUrl } from './canonical-url.ts';

declare const host: unique symbol;
/** scheme://host[:port], the unit of robots.txt and of politeness; the port only where it is not the scheme's own. */
export type HostKey = string & { readonly [host]: true };

declare const domain: unique symbol;
/** The part of a host name that is registered (Public Suffix List); an IP address or a local name stands for itself. */
export type RegistrableDomain = string & { readonly [domain]: true };

export function hostKeyOf(url: CanonicalUrl): HostKey {
  return new URL(url).origin as HostKey;
}

/** Takes back what was stored as a host key. @throws {TypeError} where it is none. */
export function storedHostKey(text: string): HostKey {
  if (!/^https?:\/\/[^/]+$/.test(text)) throw new TypeError(`not a stored host key: ${text.slice(0, 256)}`);
  return text as HostKey;
}

/** Path and query (and a kept hash route) of a URL: what tells it from others of its host. Begins with a slash. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(hostKeyOf(url).length);
}

/** Host name without scheme and port. */
export function hostNameOf(url: CanonicalUrl | HostKey): string {
  return new URL(url).hostname;
}

/** Private suffixes (github.io) count as suffixes of their own: their sites are not one site. */
export function registrableDomainOf(url: CanonicalUrl | HostKey): RegistrableDomain {
  const name = hostNameOf(url);
  return (getDomain(name, { allowPrivateDomains: true }) ?? name) as RegistrableDomain;
}
