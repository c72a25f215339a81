/** URLs as the scripts take them: grouped by the fields that they share, see lua/includes/admission.lua. */
import { LruMap } from '../base/lru-map.ts';
import type { Candidate } from '../model/candidate.ts';
import type { SkippedRecord } from '../model/record.ts';
import { storedCanonicalUrl } from '../model/url/canonical-url.ts';
import type { FoldedUrl } from '../model/visit-commit.ts';
import { hostKeyOf, registrableDomainOf } from '../model/url/host-key.ts';
import { urlShape } from '../model/url/url-shape.ts';
import { fingerprintAndSlot } from './fingerprint-number.ts';
import { kindMark } from './kind-letter.ts';
import type { PackedLine } from './packed-lines.ts';

/** One URL as a visit or a list of seeds names it. */
export type DiscoveredUrl = Candidate | SkippedUrl;

interface SkippedUrl extends SkippedRecord {
  /** True, for any reason, where the URL may still be followed by another way to it. */
  readonly soFar?: true;
  /** How it would be visited, if it is skipped for parameters that change nothing. */
  readonly fold?: FoldedUrl;
}

/** URLs in one group, so that what goes into one shard of a queue at once keeps its packed form. */
const GROUP_LIMIT = 250;

interface Group {
  /** Class, host, domain, depth, redirects, hops, kind, referrer. */
  readonly head: readonly string[];
  readonly patterns: Map<string, number>;
  readonly fields: string[];
  readonly discovered: DiscoveredUrl[];
}

interface UrlGroups {
  /** Arguments of the script. */
  readonly fields: readonly string[];
  /** The order in which the script has them. */
  readonly order: readonly DiscoveredUrl[];
}

/**
 * @param discovered no URL twice, see {@link distinct}
 * @param known what was worked out of URLs before, if that is remembered
 */
export function groupUrls(discovered: readonly DiscoveredUrl[], known?: KnownUrls): UrlGroups {
  const groups = new OpenGroups();
  for (const each of discovered) {
    const facts = knownFactsOf(each.url, known);
    addTo(groups.of(each, facts.host), each, facts);
  }
  return {
    fields: groups.all.flatMap(({ head, patterns, fields, discovered: { length } }) => [
      ...head,
      String(patterns.size),
      String(length),
      ...patterns.keys(),
      ...fields,
    ]),
    order: groups.all.flatMap((group) => group.discovered),
  };
}

/** Groups as they are filled. */
class OpenGroups {
  readonly all: Group[] = [];
  readonly #open = new Map<string, Group>();
  #last: { readonly each: DiscoveredUrl; readonly host: string; readonly group: Group } | null = null;

  /** The group of a URL, with a place free. */
  of(each: DiscoveredUrl, host: string): Group {
    const last = this.#last;
    const isLike = last !== null && last.host === host && comesAs(last.each, each);
    const group = isLike && !isFull(last.group) ? last.group : this.#named(each, host);
    this.#last = { each, host, group };
    return group;
  }

  #named(each: DiscoveredUrl, host: string): Group {
    const head = headOf(each, host);
    const name = head.join(' ');
    const known = this.#open.get(name);
    if (known !== undefined && !isFull(known)) return known;
    const fields = [...head.slice(0, 2), hostDomain(host), ...head.slice(2)];
    const group: Group = { head: fields, patterns: new Map(), fields: [], discovered: [] };
    this.#open.set(name, group);
    this.all.push(group);
    return group;
  }
}

function isFull({ discovered }: Group): boolean {
  return discovered.length === GROUP_LIMIT;
}

/** What a URL says by itself. */
interface UrlFacts {
  /** Empty where it has none. */
  readonly host: string;
  readonly path: string;
  readonly pattern: string;
  readonly fingerprint: string;
  readonly slot: string;
  /** What the frontier said of it when it was last sent; null where it was not. */
  standing: KnownStanding | null;
  /** The last link to it from its own host; null where there was none. */
  line: PackedLine | null;
}

/** What is known of a URL for good, as long as Redis loses nothing: no other process can make it untrue. */
export type KnownStanding = typeof ENDED | typeof IS_KNOWN | PendingPlace;

/** It was visited, or is skipped for good. */
export const ENDED = 'ended';
/** The frontier knows it, in whichever state. */
export const IS_KNOWN = 'is-known';

/** It is pending, or has ended since. */
interface PendingPlace {
  /** Number of its queue. */
  readonly queue: number;
  /** Its path without what all of that queue begin with. */
  readonly rest: string;
  /** Its depth and hops are not greater than these. */
  readonly depth: number;
  readonly hops: number;
}

/** What URLs say, remembered: the pages of a site name the same ones again and again, and a page may name 10,000. */
export type KnownUrls = LruMap<string, UrlFacts>;

/** Some 8 MB (arbitrary). */
const KNOWN_URLS = 30_000;
/** What is longer is worked out each time. */
const KNOWN_LENGTH = 300;

export function createKnownUrls(): KnownUrls {
  return new LruMap(KNOWN_URLS);
}

export function knownFactsOf(url: string, known: KnownUrls | undefined): UrlFacts {
  const isKept = known !== undefined && url.length <= KNOWN_LENGTH;
  return isKept ? known.getOrMake(url, () => factsOf(url)) : factsOf(url);
}

function factsOf(url: string): UrlFacts {
  const { host, path } = hostAndPath(url);
  const pattern = host === '' ? '' : urlShape(storedCanonicalUrl(url), 'program');
  const [fingerprint, slot] = fingerprintAndSlot(url);
  return { host, path, pattern, fingerprint, slot, standing: null, line: null };
}

/** Do two URLs of one host belong to one group for sure? Most links of a page do, and to write a head costs more than to compare. */
function comesAs(one: DiscoveredUrl, other: DiscoveredUrl): boolean {
  if ('reason' in one || 'reason' in other) return false;
  return (
    one.depth === other.depth &&
    one.redirects === other.redirects &&
    one.hops === other.hops &&
    one.kind === other.kind &&
    one.confidence === other.confidence &&
    one.referrer === other.referrer
  );
}

function addTo(group: Group, each: DiscoveredUrl, { path, pattern, fingerprint, slot }: UrlFacts): void {
  let number = group.patterns.get(pattern);
  if (number === undefined) group.patterns.set(pattern, (number = group.patterns.size + 1));
  group.fields.push(path, fingerprint, slot, String(number));
  if ('reason' in each) {
    const { soFar = false, fold, ...record } = each;
    group.fields.push(fold?.id ?? (soFar ? 'so-far' : record.reason), JSON.stringify(record));
  }
  group.discovered.push(each);
}

function headOf(each: DiscoveredUrl, host: string): readonly string[] {
  if ('reason' in each) {
    return each.fold === undefined ? ['s', host, '0', '0', '0', '-', ''] : ['f', host, ...wayOf(each.fold.candidate)];
  }
  return [each.confidence === 'low' ? 'g' : 'c', host, ...wayOf(each)];
}

function wayOf(candidate: Candidate): readonly string[] {
  const { depth, redirects, hops, referrer } = candidate;
  return [String(depth), String(redirects), String(hops), kindMark(candidate), referrer ?? ''];
}

/** A record's URL is canonical where it has such a form; else (`mailto:`) it is known by its text, and has no host. */
export function hostAndPath(url: string): { readonly host: string; readonly path: string } {
  const host = /^https?:\/\/[^/?#]+(?=\/)/.exec(url)?.[0] ?? '';
  return { host, path: url.slice(host.length) };
}

/** Its registrable domain; empty where there is no host. */
export function hostDomain(host: string): string {
  return host === '' ? '' : registrableDomainOf(hostKeyOf(storedCanonicalUrl(`${host}/`)));
}

/**
 * Each URL once, in the order in which they came: a candidate with the smallest depth and the fewest hops of all its mentions; a candidate
 * wins over a speculative link, and that over a URL that is not followed.
 */
export function distinct(discovered: readonly DiscoveredUrl[]): readonly DiscoveredUrl[] {
  const byUrl = new Map<string, DiscoveredUrl>();
  for (const each of discovered) {
    const first = byUrl.get(each.url);
    byUrl.set(each.url, first === undefined ? each : better(first, each));
  }
  return [...byUrl.values()];
}

/** Merges two mentions of one URL. */
export function better(first: DiscoveredUrl, second: DiscoveredUrl): DiscoveredUrl {
  const difference = rankOf(second) - rankOf(first);
  if (difference !== 0) return difference > 0 ? second : first;
  if ('reason' in first || 'reason' in second || first.confidence === 'low') return first;
  const nearer = second.depth < first.depth ? second : first;
  return { ...nearer, depth: Math.min(first.depth, second.depth), hops: Math.min(first.hops, second.hops) };
}

function rankOf(each: DiscoveredUrl): number {
  if ('reason' in each) return 0;
  return each.confidence === 'low' ? 1 : 2;
}
