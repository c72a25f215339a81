/**
 * Links of a page to URLs of other parts of the crawl. These URLs are made known in their parts ahead of the page's commit, so that the
 * commit knows which of its links were new. Their credit is part of the commit and arrives later (exchange.ts).
 */
import type { EpochMs } from '../../base/units.ts';
import type { SkipReason } from '../../model/record.ts';
import type { CommittedLink } from '../../model/visit-commit.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { NOTHING_ELSEWHERE, type Elsewhere } from '../commit-visit.ts';
import { fingerprintNumber } from '../fingerprint-number.ts';
import { stateKey } from '../frontier-state.ts';
import { ADMIT_AHEAD } from '../part-scripts.ts';
import { CreditGroups, foundUrlOf, NO_PLACE, QUEUE_PLACE, rememberStandings, sendable } from '../sendable-links.ts';
import { knownFactsOf, type DiscoveredUrl } from '../url-groups.ts';
import type { Part, Parts } from './part.ts';

interface Prepared {
  /** Links to URLs of the page's own part, and edges without a URL. */
  readonly own: readonly CommittedLink[];
  readonly elsewhere: Elsewhere;
  /** URLs that the page has made known, by part. */
  readonly marks: ReadonlyMap<Part, readonly string[]>;
}

/** Makes a page's URLs known in the other parts that they belong to. */
export async function admitElsewhere(
  parts: Parts,
  page: CanonicalUrl,
  links: readonly CommittedLink[],
  now: EpochMs,
): Promise<Prepared> {
  const home = parts.ofUrl(page);
  const own: CommittedLink[] = [];
  const leaving: { readonly link: CommittedLink; readonly url: string }[] = [];
  for (const link of links) {
    const url = foundUrlOf(link)?.url ?? null;
    if (url === null || parts.ofUrl(url) === home) own.push(link);
    else leaving.push({ link, url });
  }
  if (leaving.length === 0) return { own: links, elsewhere: NOTHING_ELSEWHERE, marks: new Map() };
  const marks = new Map<Part, readonly string[]>();
  const admissions = [...parts.byPart(leaving, ({ url }) => url)].map(async ([part, some]) => {
    const admitted = await admitTo(part, page, { links: some.map(({ link }) => link), now });
    if (admitted.made.length > 0) marks.set(part, admitted.made);
    return admitted.elsewhere;
  });
  return { own, elsewhere: (await Promise.all(admissions)).reduce(together), marks };
}

function together(one: Elsewhere, other: Elsewhere): Elsewhere {
  const kinds = [one.madeKnown, other.madeKnown];
  return {
    credited: [...one.credited, ...other.credited],
    ended: one.ended + other.ended,
    edges: [...one.edges, ...other.edges],
    newLinks: one.newLinks + other.newLinks,
    madeKnown: kinds.includes('speculative') ? 'speculative' : kinds.includes('new') ? 'new' : '',
  };
}

/** @returns facts for the commit, and the URLs that the page has made known */
async function admitTo(
  part: Part,
  page: CanonicalUrl,
  { links, now }: { readonly links: readonly CommittedLink[]; readonly now: EpochMs },
): Promise<{ readonly elsewhere: Elsewhere; readonly made: readonly string[] }> {
  const { client, keys, known } = part;
  const sending = sendable(links, page, known);
  const { sent, unsent, fields, candidates } = sending;
  const { flags, places } =
    fields.length === 0
      ? { flags: '', places: [] }
      : await ADMIT_AHEAD.run(client, keys, { now, page: fingerprintNumber(page) }, fields);
  rememberStandings(sending, places, known);
  const credit = new CreditGroups();
  let ended = sending.ended;
  for (const [index, { url }] of candidates.entries()) {
    const place = places[index] ?? NO_PLACE;
    if (place === NO_PLACE) ended += 1;
    else addCredit(credit, part, url, place);
  }
  const isNew = (index: number): boolean => flags[index] === '1';
  const found = sent.filter((_, index) => isNew(index)).map(foundUrlOf);
  const bred = found.filter((each) => each !== null && isBred(each));
  const isSpeculative = bred.some((each) => each !== null && !('reason' in each) && each.confidence === 'low');
  const count = credit.count + sending.credited.count;
  return {
    elsewhere: {
      credited:
        count === 0
          ? []
          : ['o', String(part.number), String(count), JSON.stringify([...sending.credited.fields, ...credit.fields])],
      ended,
      edges: [...sent.map((link, index) => (isNew(index) ? { ...link, isNew: true as const } : link)), ...unsent],
      newLinks: found.length,
      madeKnown: isSpeculative ? 'speculative' : bred.length > 0 ? 'new' : '',
    },
    made: found.flatMap((each) => (each === null ? [] : [each.url])),
  };
}

const NEVER_FOLLOWED: ReadonlySet<SkipReason> = new Set(['out-of-scope', 'unsupported-scheme', 'signs-out', 'acts']);

/** Does a URL that a page made known count as bred by it? Neither a folded one nor one that is never followed does (commit.lua). */
function isBred(each: DiscoveredUrl): boolean {
  return !('reason' in each) || (each.fold === undefined && !NEVER_FOLLOWED.has(each.reason));
}

function addCredit(credit: CreditGroups, { known }: Part, url: string, place: number): void {
  const { host, path, slot } = knownFactsOf(url, known);
  const rest = Buffer.from(path)
    .subarray(place % QUEUE_PLACE)
    .toString();
  credit.add(host, Math.floor(place / QUEUE_PLACE), [rest, slot]);
}

/** Forgets the URLs that a page made known, once its commit is over. */
export async function forgetAhead(marks: ReadonlyMap<Part, readonly string[]>): Promise<void> {
  await Promise.all([...marks].map(([part, urls]) => part.client.hdel(stateKey(part, 'ahead'), ...urls)));
}
