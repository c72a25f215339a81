/** Finds the origins of the audited site, and the one under which its pages were visited. */
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import {
  originOf,
  SiteAddresses,
  typedOrigin,
  type OriginMapping,
  type PublishedPlace,
} from '../core/findings/site-address.ts';
import type { AuditRecord } from './crawl-records.ts';

/** The fields of a record that are needed here. */
type SiteRecord = Pick<AuditRecord, 'url' | 'outcome' | 'canonical' | 'redirect'>;

export interface AuditedSite {
  readonly addresses: SiteAddresses;
  /** Is a URL of the site, or of a host that the crawl went to? */
  readonly isOwn: (url: string) => boolean;
  /** The URL as the crawl knows it: an address of the published site on the host that was crawled. */
  readonly crawled: (url: string) => string;
  /** The place where the pages say that they are published, if it is not where they were crawled; else null. */
  readonly published: string | null;
  readonly notes: readonly string[];
}

/** One page in so many must name its own path. Arbitrary. */
const MOST_LISTS = 4;
/** Redirects of a seed that are followed. */
const MOST_HOPS = 10;

/** @param mappings as the user gave them: `https://staging.example.org=https://example.org` */
export function auditedSite(
  seeds: readonly string[],
  records: ReadonlyMap<string, SiteRecord>,
  mappings: readonly string[],
): AuditedSite {
  const mapped = mappings.map(readMapping);
  const crawled = seedOrigins(seeds[0] ?? '', records);
  const place = [...crawled].some(isPrivate) ? publishedPlace(records.values(), crawled) : null;
  const published = place !== null && isOrigin(place.there) && isOrigin(place.here) ? place.there : null;
  const own = withMapped(new Set([...crawled, ...(published === null ? [] : [published])]), mapped);
  const addresses = new SiteAddresses(own, mapped, published === null ? place : null);
  const visited = new Set<string | null>();
  for (const { url, outcome } of records.values()) if (outcome === 'captured') visited.add(originOf(url));
  const [last = ''] = [...crawled].toReversed();
  return {
    addresses,
    isOwn: (url) => addresses.isOwn(url) || visited.has(originOf(url)),
    crawled: (url) => {
      const origin = originOf(url);
      if (origin === null || records.has(url) || crawled.has(origin) || !addresses.isOwn(url)) return url;
      return origin === originOf(addresses.found(url)) ? last + url.slice(origin.length) : addresses.found(url);
    },
    published: place === null ? null : place.there,
    notes: place === null ? [] : [placeNote(place.there)],
  };
}

function placeNote(there: string): string {
  const what = isOrigin(there) ? 'origin' : 'place';
  return `the pages name ${there} as their ${what} (canonical): its addresses are taken for those of this site`;
}

/** A crawl stays on its host: a build whose links have the address of its later place leads out of it. */
export function publishedNotes(place: string | null, count: number): readonly string[] {
  if (place === null || count === 0) return [];
  const addresses = count === 1 ? '1 address that the site names' : `${count} addresses that the site names`;
  return [
    `${addresses} at ${place} ${count === 1 ? 'was' : 'were'} not visited: links there lead out of the crawl. Build the site with the address where it is crawled`,
  ];
}

/** @throws {CrawlError} USAGE */
export function readMapping(text: string): OriginMapping {
  const [from, to, ...rest] = text.split('=').map(typedOrigin);
  if (from == null || to == null || rest.length > 0) {
    throw new CrawlError(
      'USAGE',
      `${JSON.stringify(text.slice(0, 200))} maps no origin to another\nWrite https://staging.example.org=https://example.org`,
    );
  }
  return { from, to };
}

/** Origins of a seed, in the order of the redirects; both schemes of a host are one site. */
function seedOrigins(seed: string, records: ReadonlyMap<string, SiteRecord>): Set<string> {
  const origins = new Set<string>();
  let at: string | null = seed;
  for (let hops = 0; at !== null && hops <= MOST_HOPS; hops += 1) {
    const origin = originOf(at);
    if (origin !== null) {
      origins.add(origin.startsWith('https:') ? origin.replace(/^https/, 'http') : origin.replace(/^http/, 'https'));
      origins.delete(origin);
      origins.add(origin);
    }
    at = records.get(at)?.redirect ?? null;
  }
  return origins;
}

/** Own origins, with those that they are mapped to, or from. @param own is changed */
export function withMapped(own: Set<string>, mappings: readonly OriginMapping[]): Set<string> {
  for (const { from, to } of mappings) {
    if (own.has(from)) own.add(to);
    else if (own.has(to)) own.add(from);
  }
  return own;
}

/** Is it a served folder, or a server of this machine or network? A site is not published there. */
function isPrivate(origin: string): boolean {
  const host = parsedUrl(origin)?.hostname ?? '';
  return (
    /^(?:localhost|\[::1\]|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*)$/.test(host) ||
    /\.(?:localhost|local|test|internal)$/.test(host)
  );
}

/**
 * The place that most canonical addresses name, enough of them with the path of their page below it; null where there is none. The further
 * pages of a list name the first one.
 */
function publishedPlace(records: Iterable<SiteRecord>, crawled: ReadonlySet<string>): PublishedPlace | null {
  const counts = new Map<string, { readonly place: PublishedPlace; pages: number }>();
  const named: string[] = [];
  for (const { url, canonical, outcome } of records) {
    if (outcome !== 'captured' || canonical === null) continue;
    named.push(canonical);
    const place = placeOf(canonical, url);
    if (place === null || crawled.has(originOf(place.there) ?? '')) continue;
    const key = `${place.there} ${place.here}`;
    const count = counts.get(key) ?? { place, pages: 0 };
    count.pages += 1;
    counts.set(key, count);
  }
  const [best] = [...counts.values()].toSorted((one, other) => other.pages - one.pages);
  if (best === undefined || best.pages * MOST_LISTS < named.length) return null;
  const inside = named.filter((canonical) => `${canonical}/`.startsWith(`${best.place.there}/`)).length;
  return inside * 2 > named.length ? best.place : null;
}

/** What is left of two addresses without the segments at their ends that are the same; null where there are none. */
function placeOf(canonical: string, url: string): PublishedPlace | null {
  const [named, origin] = [originOf(canonical), originOf(url)];
  if (named === null || origin === null) return null;
  const [there, here] = [canonical.slice(named.length).split('/'), url.slice(origin.length).split('/')];
  let same = 0;
  while (same < Math.min(there.length, here.length) - 1 && there.at(-1 - same) === here.at(-1 - same)) same += 1;
  if (same === 0) return null;
  return {
    there: named + there.slice(0, there.length - same).join('/'),
    here: origin + here.slice(0, here.length - same).join('/'),
  };
}

function isOrigin(place: string): boolean {
  return originOf(place) === place;
}
