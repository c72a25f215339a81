/**
 * Prepares a commit's links for its script: each URL once, with only the facts that the frontier lacks. The frontier's answer about a URL is
 * remembered (`KnownStanding`): most links of a page lead to pages that every page of its site links to.
 */
import type { CommittedLink, FoldedUrl } from '../model/visit-commit.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import {
  better,
  ENDED,
  groupUrls,
  IS_KNOWN,
  knownFactsOf,
  type DiscoveredUrl,
  type KnownUrls,
  type KnownStanding,
} from './url-groups.ts';

interface Sendable {
  /** One link for each URL that the script gets in full, in the script's order. */
  readonly sent: readonly CommittedLink[];
  readonly fields: readonly string[];
  /** URLs that only get credit. */
  readonly credited: CreditGroups;
  /** Candidates among the URLs sent in full, in the order of the standings in the reply. */
  readonly candidates: readonly DiscoveredUrl[];
  /** The other URLs sent in full: known in some state once the script has run. */
  readonly others: readonly DiscoveredUrl[];
  /** Number of links to URLs that have ended for good. */
  readonly ended: number;
  /** Links that only become lines of links.jsonl: subresources, links that name nothing new, and further links to the same URL. */
  readonly unsent: readonly CommittedLink[];
}

/** Splits the links of a page into those that the script judges, those that only bring credit, and those that only become a line. */
export function sendable(links: readonly CommittedLink[], page: CanonicalUrl, known: KnownUrls): Sendable {
  const firsts = new Map<string, Mention>();
  const unsent: CommittedLink[] = [];
  for (const link of links) {
    const found = foundUrlOf(link);
    const first = found === null ? undefined : firsts.get(found.url);
    if (first !== undefined && found !== null) first.found = better(first.found, found);
    if (found === null || first !== undefined) unsent.push(link);
    else firsts.set(found.url, { link, found });
  }
  const { inFull, ended, credited } = parted([...firsts.values()], page, known);
  const { fields, order } = groupUrls(inFull, known);
  const sent = order.flatMap(({ url }) => {
    const first = firsts.get(url);
    firsts.delete(url);
    return first?.link ?? [];
  });
  const candidates = order.filter(isCandidate);
  const others = order.filter((each) => !isCandidate(each));
  return {
    sent,
    fields,
    credited,
    candidates,
    others,
    ended,
    unsent: [...Array.from(firsts.values(), ({ link }) => link), ...unsent],
  };
}

/** A URL of a page. */
interface Mention {
  /** The first link to it. */
  readonly link: CommittedLink;
  /** The merge of all links to it. */
  found: DiscoveredUrl;
}

interface Parted {
  readonly inFull: readonly DiscoveredUrl[];
  readonly ended: number;
  readonly credited: CreditGroups;
}

function parted(mentions: readonly Mention[], page: CanonicalUrl, known: KnownUrls): Parted {
  const inFull: DiscoveredUrl[] = [];
  const credited = new CreditGroups();
  let ended = 0;
  // the order of speculative links depends on all links of the page
  const sendsSpeculative = mentions.some(
    ({ found }) => isSpeculative(found) && knownFactsOf(found.url, known).standing === null,
  );
  for (const { found: each } of mentions) {
    const { host, slot, standing } = knownFactsOf(each.url, known);
    // the page itself is pending until the script has run
    const isSaid = standing !== null && each.url !== page && says(standing, each);
    if (!isSaid || (sendsSpeculative && isSpeculative(each))) inFull.push(each);
    else if (!isCandidate(each) || standing === IS_KNOWN) continue;
    else if (standing === ENDED) ended += 1;
    else credited.add(host, standing.queue, [standing.rest, slot]);
  }
  return { inFull, ended, credited };
}

/** URLs that only get credit, grouped by queue. */
export class CreditGroups {
  /** Groups by host and queue. */
  readonly #groups = new Map<string, string[]>();
  #last: { readonly host: string; readonly queue: number; readonly urls: string[] } | null = null;
  /** Number of URLs. */
  count = 0;

  /** @param queue number of the queue; @param url the rest of its path after the queue's common prefix, and its slot */
  add(host: string, queue: number, url: readonly [rest: string, slot: string]): void {
    const urls = this.#of(host, queue);
    urls.push(url[0], url[1]);
    this.count += 1;
  }

  /** In the form that lua/includes/credit_links.lua reads. */
  get packed(): readonly string[] {
    return [...this.#groups].flatMap(([head, urls]) => ['k', ...head.split(' '), `${urls.join(' ')} `]);
  }

  /** In the form that waits for other parts of the crawl (parts/exchange.ts): each URL by itself, because several entries may name one. */
  get fields(): readonly string[] {
    return [...this.#groups].flatMap(([head, urls]) => ['k', ...head.split(' '), String(urls.length / 2), ...urls]);
  }

  #of(host: string, queue: number): string[] {
    const last = this.#last;
    if (last !== null && last.host === host && last.queue === queue) return last.urls;
    const head = `${host} ${queue}`;
    const urls = this.#groups.get(head) ?? [];
    this.#groups.set(head, urls);
    this.#last = { host, queue, urls };
    return urls;
  }
}

function isSpeculative(each: DiscoveredUrl): boolean {
  return !('reason' in each) && each.confidence === 'low';
}

/** Does the known standing make a mention superfluous? Not a shorter way to a pending URL, nor a link to a URL that may be only speculative. */
function says(standing: KnownStanding, each: DiscoveredUrl): boolean {
  if (!isCandidate(each) || standing === ENDED) return true;
  if (standing === IS_KNOWN) return false;
  return each.depth >= standing.depth && each.hops >= standing.hops;
}

type CandidateUrl = Extract<DiscoveredUrl, { readonly confidence: unknown }>;

/** Is it a candidate for the script? Any other mention changes nothing once its URL is known. */
function isCandidate(each: DiscoveredUrl): each is CandidateUrl {
  return !('reason' in each) && each.confidence === 'high';
}

/** Factor in the scripts' replies: the number of a queue times this, plus bytes of a path (lua/includes/admission.lua). */
export const QUEUE_PLACE: number = 2 ** 16;
export const NO_PLACE: number = -1;
/** Paths whose length in characters equals that in bytes. */
const ASCII = /^[\x21-\x7e]*$/;

/** Remembers the script's reply about the links that it was sent. @param places as replied */
export function rememberStandings(
  { candidates, others }: Pick<Sendable, 'candidates' | 'others'>,
  places: readonly number[],
  known: KnownUrls,
): void {
  for (const { url } of others) knownFactsOf(url, known).standing ??= IS_KNOWN;
  for (const [index, each] of candidates.entries()) {
    const place = places[index];
    if (place === undefined || !isCandidate(each)) continue;
    const facts = knownFactsOf(each.url, known);
    const isPlain = place === NO_PLACE || ASCII.test(facts.path);
    const { depth, hops } = each;
    const rest = facts.path.slice(place % QUEUE_PLACE);
    const pending = { queue: Math.floor(place / QUEUE_PLACE), rest, depth, hops };
    facts.standing = place === NO_PLACE ? ENDED : isPlain ? pending : null;
  }
}

/** Remembers that a page was visited, or is skipped for good. */
export function rememberEnded(page: CanonicalUrl, known: KnownUrls): void {
  const facts = known.peek(page);
  if (facts !== undefined) facts.standing = ENDED;
}

/** The URL of a link; null where it names a part of its page. */
export function foundUrlOf({ target }: CommittedLink): DiscoveredUrl | null {
  switch (target.kind) {
    case 'candidate':
      return target.candidate;
    case 'skipped':
      return { ...target.record, ...(target.soFar === true ? { soFar: true } : {}), ...foldOf(target.fold) };
    case 'subresource':
      return null;
  }
}

function foldOf(fold: FoldedUrl | undefined): { readonly fold?: FoldedUrl } {
  return fold === undefined ? {} : { fold };
}
