/** A visit as lease.lua replies it. */
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import { storedHostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { wholeOf } from '../redis/reply.ts';
import { kindOfMark } from './kind-letter.ts';

/** @param fields in the order of the reply */
export function visitOf(fields: readonly string[]): Omit<Visit, 'leasedAt' | 'leasedUntil'> {
  const [token = '', host = '', path = '', depth, redirects, hops, attempt, deaths, kind = '', referrer = '', first] =
    fields;
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
  };
}
