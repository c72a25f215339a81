/** Converts a visit of lease.lua's reply, and the egress addresses of its request. */
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { storedHostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { wholeOf } from '../redis/reply.ts';
import type { EgressPlaces } from './frontier.ts';
import { kindOfMark } from './kind-letter.ts';

/** Egress addresses as JSON; empty where politeness counts for all together. */
export function egressesText(egresses: readonly EgressPlaces[]): string {
  return egresses.length === 0 ? '' : JSON.stringify(egresses.map(({ address, count }) => [address, count]));
}

/** @param fields in the order of the reply; @param egresses of the lease request */
export function visitOf(
  fields: readonly string[],
  egresses: readonly EgressPlaces[],
): Omit<Visit, 'leasedAt' | 'leasedUntil'> {
  const [token = '', host = '', path = '', depth, redirects, hops, attempt, deaths, kind = '', referrer = ''] = fields;
  const [first, _address, index] = fields.slice(10);
  const egress = index === undefined ? undefined : egresses[Number(index) - 1];
  return {
    token: wholeOf(token),
    host: storedHostKey(host),
    url: storedCanonicalUrl(host + path),
    depth: wholeOf(depth),
    redirects: wholeOf(redirects),
    hops: wholeOf(hops),
    attempt: wholeOf(attempt),
    deaths: wholeOf(deaths),
    firstOfHost: first === '1',
    ...kindOfMark(kind),
    referrer: referrer === '' ? null : storedCanonicalUrl(referrer),
    ...(egress === undefined ? {} : { egress: egress.address }),
  };
}
