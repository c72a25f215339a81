/** Groups URLs by shared fields, in the form that the scripts take, see lua/includes/admission.lua. */
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

/** One URL as found by a visit or in a list of seeds. */
export type DiscoveredUrl = Candidate | SkippedUrl;

interface SkippedUrl extends SkippedRecord {
  /** True where another link may still make the crawl follow the URL, whatever the reason of the skip. */
  readonly soFar?: true;
  /** Its candidate and fold, if it is skipped for parameters that change nothing. */
  readonly fold?: FoldedUrl;
}

/** Most URLs in one group, so that a queue's shard keeps Redis' packed form while it receives them. */
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
  /** The URLs in the script's order. */
  readonly order: readonly DiscoveredUrl[];
}

/**
 * @param discovered each URL once, see {@link distinct}
 * @param known facts computed of URLs before, if they are remembered
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

/** Groups while they are filled. */
class OpenGroups {
  readonly all: Group[] = [];
  readonly #open = new Map<string, Group>();
  #last: { readonly each: DiscoveredUrl; readonly host: string; readonly group: Group } | null = null;

  /** A group for the URL with free room. */
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

/** Facts that follow from a URL, and what is known of it. */
interface UrlFacts {
  /** Empty where it has none. */
  readonly host: string;
  readonly path: string;
  readonly pattern: string;
  readonly fingerprint: string;
  readonly slot: string;
  /** The frontier's last word on the URL; null where it was not sent yet. */
  standing: KnownStanding | null;
  /** The last link to it from its own host; null where there was none. */
  line: PackedLine | null;
}

/** Lasting knowledge of a URL: no other process can make it untrue, as long as Redis loses nothing. */
export type KnownStanding = typeof ENDED | typeof IS_KNOWN | PendingPlace;

/** It was visited, or is skipped for good. */
export const ENDED = 'ended';
/** The frontier knows it, in some state. */
export const IS_KNOWN = 'is-known';

/** It is pending, or has ended since. */
interface PendingPlace {
  /** Number of its queue. */
  readonly queue: number;
  /** Its path without the queue's common prefix. */
  readonly rest: string;
  /** Upper limits of its depth and hops. */
  readonly depth: number;
  readonly hops: number;
}

/** Remembered facts of URLs: the pages of a site name the same ones again and again, and a page may name 10,000. */
export type KnownUrls = LruMap<string, UrlFacts>;

/** Most URLs remembered: some 8 MB (arbitrary). */
const KNOWN_URLS = 30_000;
/** Longest URL that is remembered; facts of longer ones are computed each time. */
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

/** Do two URLs of one host surely belong to one group? Most of a page's do, and comparing costs less than building a head. */
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
    const reason = soFar ? (record.reason === 'out-of-scope' ? 'outside-so-far' : 'so-far') : record.reason;
    group.fields.push(fold?.id ?? reason, JSON.stringify(record));
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

/** Host and path of a record's URL, which is canonical where possible; any other (`mailto:`) has no host, and its text is the path. */
export function hostAndPath(url: string): { readonly host: string; readonly path: string } {
  const host = /^https?:\/\/[^/?#]+(?=\/)/.exec(url)?.[0] ?? '';
  return { host, path: url.slice(host.length) };
}

/** The host's registrable domain; empty where there is no host. */
export function hostDomain(host: string): string {
  return host === '' ? '' : registrableDomainOf(hostKeyOf(storedCanonicalUrl(`${host}/`)));
}

/**
 * Each URL once, in order of arrival: a candidate gets the smallest depth and the fewest hops of all its mentions. A candidate
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
