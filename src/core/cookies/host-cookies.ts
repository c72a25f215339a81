/** The cookies that visits of a host bring: none, but for hosts that let nobody in without those that they have set. */
import { LruMap } from '../../base/lru-map.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { hostNameOf } from '../../model/url/host-key.ts';

/** Hosts that are remembered (arbitrary). */
const MOST_HOSTS = 10_000;

/** Values by name. */
export type Cookies = ReadonlyMap<string, string>;

export const NO_COOKIES: Cookies = new Map();

/** By host name: cookies do not tell ports apart (RFC 6265, section 8.5). */
export class HostCookies {
  readonly #hosts = new LruMap<string, Cookies>(MOST_HOSTS);

  of(url: CanonicalUrl): Cookies {
    return this.#hosts.get(hostNameOf(url)) ?? NO_COOKIES;
  }

  add(url: CanonicalUrl, cookies: Cookies): void {
    this.#hosts.set(hostNameOf(url), new Map([...this.of(url), ...cookies]));
  }
}

/** The value of a Cookie header; null without cookies. */
export function cookieHeader(cookies: Cookies): string | null {
  return cookies.size === 0 ? null : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
