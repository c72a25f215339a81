/**
 * Which URLs of a crawl are sitemaps, what they may name, and how deep they lie in their indexes. Kept in memory: after a
 * resume a sitemap that is not known counts as one of the first level, of its own host.
 */
import type { CanonicalUrl } from '../model/canonical-url.ts';
import { hostWithPortOf } from '../model/host-key.ts';
import type { LinkSighting } from '../model/link.ts';
import type { SkippedRecord } from '../model/record.ts';
import type { Visit } from '../model/visit.ts';

/** sitemaps.org knows one index above the files; some sites nest them (algorithms A2.5). */
export const INDEX_DEPTH_LIMIT = 3;
/** Of one host (algorithms F42): 25 million pages. */
export const SITEMAPS_OF_HOST_LIMIT = 500;
/** Of all hosts together; those beyond are read as files like any other. */
const KEPT_LIMIT = 20_000;

export interface SitemapPlace {
  /** 1 for one that robots.txt or the user named, 2 for one that an index of those names. */
  readonly depth: number;
  /** Hosts with port whose pages it may name; null where the user named it: the scope alone decides then. */
  readonly hosts: readonly string[] | null;
}

export interface SitemapBook {
  placeOf(url: CanonicalUrl): SitemapPlace | null;
  note(url: CanonicalUrl, place: SitemapPlace): void;
  /** Sitemaps that are known of a host. */
  countOf(host: string): number;
}

export function createSitemapBook(): SitemapBook {
  const places = new Map<CanonicalUrl, SitemapPlace>();
  const counts = new Map<string, number>();
  const countOf = (host: string): number => counts.get(host) ?? 0;
  return {
    placeOf: (url) => places.get(url) ?? null,
    countOf,
    note: (url, place) => {
      if (places.has(url) || places.size >= KEPT_LIMIT) return;
      places.set(url, place);
      const host = hostWithPortOf(url);
      counts.set(host, countOf(host) + 1);
    },
  };
}

type Refusal = Pick<SkippedRecord, 'reason' | 'rule'>;

/** Says why an entry of a sitemap, or a Sitemap line of robots.txt, is not followed; null where it may be. Takes notes. */
export function refusalOfEntry(
  visit: Visit,
  { kind, context }: Pick<LinkSighting, 'kind' | 'context'>,
  to: CanonicalUrl,
  book: SitemapBook,
): Refusal | null {
  if (kind === 'robots') return named(to, { depth: 1, hosts: [hostWithPortOf(visit.url), hostWithPortOf(to)] }, book);
  const isIndex = context === 'sitemapindex/loc';
  const known = book.placeOf(visit.url);
  // a list of links or a feed may name what it likes, unless it was named as a sitemap
  if (known === null && !isIndex && context !== 'urlset/loc') return null;
  if (kind !== 'sitemap' && kind !== 'feed') return null;
  const place = known ?? { depth: 1, hosts: [hostWithPortOf(visit.url)] };
  const host = hostWithPortOf(to);
  if (place.hosts !== null && !place.hosts.some((each) => isSameSite(each, host))) {
    // by a link of a page it may be followed, so its reason is one that lies in the way
    return { reason: 'nofollow', rule: `a sitemap of ${place.hosts[0] ?? ''} may not name pages of ${host}` };
  }
  if (!isIndex) return null;
  if (place.depth > INDEX_DEPTH_LIMIT) {
    return { reason: 'depth', rule: `sitemap indexes are nested more than ${INDEX_DEPTH_LIMIT} deep` };
  }
  return named(to, { depth: place.depth + 1, hosts: place.hosts }, book);
}

function named(to: CanonicalUrl, place: SitemapPlace, book: SitemapBook): Refusal | null {
  if (book.placeOf(to) === null && book.countOf(hostWithPortOf(to)) >= SITEMAPS_OF_HOST_LIMIT) {
    return { reason: 'limit', rule: `more than ${SITEMAPS_OF_HOST_LIMIT} sitemaps of one host` };
  }
  book.note(to, place);
  return null;
}

/** `www.` is no other site in the eyes of those who write sitemaps. */
function isSameSite(one: string, other: string): boolean {
  const bare = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);
  return bare(one) === bare(other);
}
