/** Assigns requests and cookies to the page's own site or to a third party. */
import type { Party } from '../../model/page-details.ts';
import { canonicalUrl } from '../../model/url/canonical-url.ts';
import { registrableDomainOf, type RegistrableDomain } from '../../model/url/host-key.ts';

/** @returns null for what is no http(s) URL */
export function domainOf(url: string): RegistrableDomain | null {
  const canonical = canonicalUrl(url);
  return canonical === null ? null : registrableDomainOf(canonical);
}

/** The party of a request: a request by a third party's script is third-party, wherever it goes. */
export function partyOf(url: string, initiator: string | null, own: RegistrableDomain | null): Party {
  if (domainOf(url) !== own) return 'third';
  return initiator !== null && /^https?:/.test(initiator) && domainOf(initiator) !== own ? 'third' : 'first';
}
