/**
 * The sitemaps of a crawl: what each may name, its depth in the indexes, and which of them are visited when. Kept
 * in memory: after a resume an unknown sitemap counts as one of the first level, of its own host.
 *
 * A sitemap is visited like a page, but only while pages are needed: a few wait unread at a time; the others are held, that is, skipped so
 * far, until the crawl takes them (crawl/sitemap-feed.ts).
 */
import { isSitemapLine } from '../core/links/data/robots-links.ts';
import { SITEMAP_ALTERNATE } from '../core/links/markup/markup-references.ts';
import type { Candidate } from '../model/candidate.ts';
import type { FoundLink } from '../model/link.ts';
import type { SkippedRecord } from '../model/record.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import { hostWithPortOf } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';
import { createSitemapBudget, type SitemapBudget } from './sitemap-budget.ts';

/** Deepest nesting of indexes. sitemaps.org has one index level; some sites nest them (design/scheduling, "Sitemaps"). */
export const INDEX_DEPTH_LIMIT = 3;
/** Most sitemaps waiting to be read: 2.5 million pages at the most (arbitrary). */
const UNREAD_AT_A_TIME = 50;
/** Rule for skipped.jsonl of a sitemap that waits its turn. */
export const HELD_RULE = 'sitemaps are read as pages are needed';

export interface SitemapPlace {
  /** 1 for a sitemap named by robots.txt or the user, 2 for one named by an index among those. */
  readonly depth: number;
  /** Hosts (with port) whose pages it may name; null where the user named it: then only the scope decides. */
  readonly hosts: readonly string[] | null;
}

export interface SitemapBook {
  placeOf(url: CanonicalUrl): SitemapPlace | null;
  note(url: CanonicalUrl, place: SitemapPlace): void;
  readonly budget: SitemapBudget;
  /** May a sitemap be visited as soon as its turn comes? If not, it is held. A known one keeps its state. */
  admits(candidate: Candidate): boolean;
  /** Holds a sitemap that an earlier run of the crawl held. */
  hold(candidate: Candidate): void;
  /** Takes the sitemap held longest, to visit it now; null where none is held, or enough wait to be read. */
  takeHeld(): Candidate | null;
  /** Takes the sitemap held longest among those that may be visited, however many wait to be read; null where none is held. */
  takeLeft(mayVisit: (url: CanonicalUrl) => boolean): Candidate | null;
  /** Is the sitemap to be visited? Another process may have decided so (shared-sitemaps.ts). */
  isTaken(url: CanonicalUrl): boolean;
  /** Notes that a sitemap is to be visited, however many wait. */
  take(url: CanonicalUrl): void;
  /** Reports that a visit, perhaps of a sitemap, has ended for good. Repeating it changes nothing. */
  ended(url: CanonicalUrl): void;
  readonly held: number;
  /** Numbers of sitemaps named, including refused ones, and of those visited. */
  counts(): { readonly named: number; readonly read: number };
}

interface SitemapBookOptions {
  readonly unreadAtATime?: number;
  readonly budget?: SitemapBudget;
}

export function createSitemapBook(options: SitemapBookOptions = {}): SitemapBook {
  const { unreadAtATime = UNREAD_AT_A_TIME, budget = createSitemapBudget() } = options;
  const places = new Map<CanonicalUrl, SitemapPlace>();
  const unread = new Set<CanonicalUrl>();
  const held = new Map<CanonicalUrl, Candidate>();
  const taken = new Set<CanonicalUrl>();
  const read = new Set<CanonicalUrl>();

  function take(url: CanonicalUrl): void {
    held.delete(url);
    taken.add(url);
    unread.add(url);
  }

  function takeFirst(mayVisit: (url: CanonicalUrl) => boolean): Candidate | null {
    for (const candidate of held.values()) {
      if (!mayVisit(candidate.url)) continue;
      take(candidate.url);
      return candidate;
    }
    return null;
  }

  return {
    budget,
    placeOf: (url) => places.get(url) ?? null,
    note: (url, place) => {
      if (!places.has(url)) places.set(url, place);
    },
    admits: (candidate) => {
      const { url } = candidate;
      if (taken.has(url)) return true;
      if (held.has(url) || unread.size >= unreadAtATime) {
        held.set(url, candidate);
        return false;
      }
      take(url);
      return true;
    },
    hold: (candidate) => {
      if (!taken.has(candidate.url)) held.set(candidate.url, candidate);
    },
    isTaken: (url) => taken.has(url),
    take,
    takeHeld: () => (unread.size >= unreadAtATime ? null : takeFirst(() => true)),
    takeLeft: takeFirst,
    ended: (url) => {
      unread.delete(url);
      // a page links to one that is held: taken up later, it would wait to be read for ever
      if (held.delete(url)) taken.add(url);
      if (places.has(url)) read.add(url);
    },
    get held() {
      return held.size;
    },
    counts: () => ({ named: places.size + budget.refused.files, read: read.size }),
  };
}

interface EntryRefusal extends Pick<SkippedRecord, 'reason' | 'rule'> {
  /** Is the entry only counted, because too many would need a line? */
  readonly isUnlisted?: boolean;
}

/** The reason why an entry of a sitemap, or a Sitemap line of robots.txt, is not followed; null where it may be. Also updates the book. */
export function refusalOfEntry(
  visit: Visit,
  { kind, context }: Pick<FoundLink, 'kind' | 'context'>,
  to: CanonicalUrl,
  book: SitemapBook,
): EntryRefusal | null {
  if (isSitemapLine({ kind, context }))
    return named(to, { depth: 1, hosts: [hostWithPortOf(visit.url), hostWithPortOf(to)] }, book);
  const isIndex = context === 'sitemapindex/loc';
  const known = book.placeOf(visit.url);
  // a list of links or a feed may name anything, unless it was named as a sitemap
  if (kind !== 'sitemap' && kind !== 'feed') return null;
  // the translations of a page may stand on other domains: only the scope decides
  if (context === SITEMAP_ALTERNATE) return pageOf(visit, kind, book);
  if (known === null && !isIndex && context !== 'urlset/loc') return pageOf(visit, kind, book);
  const place = known ?? { depth: 1, hosts: [hostWithPortOf(visit.url)] };
  const host = hostWithPortOf(to);
  if (place.hosts !== null && !place.hosts.some((each) => isSameSite(each, host))) {
    // a page's link to it may be followed, so the skip reason is one that concerns the link only
    const rule = `a sitemap of ${place.hosts[0] ?? ''} may not name pages of ${host}`;
    return refused({ reason: 'nofollow', rule }, isIndex ? 'files' : 'pages', book);
  }
  if (!isIndex) return pageOf(visit, kind, book);
  if (place.depth > INDEX_DEPTH_LIMIT) {
    return refused(
      { reason: 'depth', rule: `sitemap indexes are nested more than ${INDEX_DEPTH_LIMIT} deep` },
      'files',
      book,
    );
  }
  return named(to, { depth: place.depth + 1, hosts: place.hosts }, book);
}

/** Counts an entry as a page. Feeds are not counted: they are short, or pages like any other. */
function pageOf(visit: Visit, kind: FoundLink['kind'], book: SitemapBook): EntryRefusal | null {
  return kind === 'feed' ? null : taken('pages', hostWithPortOf(visit.url), book);
}

function named(to: CanonicalUrl, place: SitemapPlace, book: SitemapBook): EntryRefusal | null {
  if (book.placeOf(to) !== null) return null;
  const refusal = taken('files', hostWithPortOf(to), book);
  if (refusal === null) book.note(to, place);
  return refusal;
}

function taken(what: 'files' | 'pages', host: string, book: SitemapBook): EntryRefusal | null {
  const rule = book.budget.take(what, host);
  return rule === null ? null : refused({ reason: 'limit', rule }, what, book);
}

function refused(
  refusal: Pick<EntryRefusal, 'reason' | 'rule'>,
  what: 'files' | 'pages',
  { budget }: SitemapBook,
): EntryRefusal {
  return { ...refusal, isUnlisted: !budget.refuse(what) };
}

/** Do two hosts belong to one site? Authors of sitemaps do not distinguish `www.`. */
function isSameSite(one: string, other: string): boolean {
  const bare = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);
  return bare(one) === bare(other);
}
