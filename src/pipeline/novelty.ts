/**
 * What the trap detector hears of a page: whether it brought anything that its host had not, and whether there is an end to pages like
 * it. Pages that say nothing new but for figures, dates and their own address (core/fingerprint/content-sketch.ts) are new all the same, as
 * the entries of a catalogue may be, unless
 *   - the site answers a probe in the same way, and leads on from it: an address of the same form that nobody has named. It is asked for once
 *     there are many such pages, politely, once for each group;
 *   - or their address is a choice among filters.
 * Where a probe was answered so, the links of such pages are not followed any more: there is no end to them.
 */
import { linesOf, ownLines } from '../core/fingerprint/boilerplate.ts';
import { contentSketch, saysTheSame, type ContentSketch } from '../core/fingerprint/content-sketch.ts';
import { folderOf, isChoice } from '../core/traps/pattern.ts';
import { probeUrlBeside, probeUrl } from '../core/traps/probe-url.ts';
import type { SimilarityIndex } from '../dedup/similarity-index.ts';
import type { Page } from '../model/page.ts';
import { canonicalise, canonicalUrl, type CanonicalUrl } from '../model/url/canonical-url.ts';
import { hostKeyOf } from '../model/url/host-key.ts';
import { urlShape } from '../model/url/url-shape.ts';
import type { Novelty, CommittedLink } from '../model/visit-commit.ts';
import type { VisitOutcome, VisitOutcomeKind } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { TrapMemory, PagePlace, ProbeAnswer, ProbePlace } from '../traps/trap-memory.ts';
import { unfollowedLinks } from './unfollowed-links.ts';

export interface NoveltySearch {
  readonly trapMemory: TrapMemory;
  readonly similar: Pick<SimilarityIndex, 'boilerplateOf'>;
  /** Asks the host of a visit for another URL, as politely as for a page; null where that may not or can not be now. */
  readonly askFor: (url: CanonicalUrl, visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;
}

/** What is known of a page that was compared with others. */
interface ComparedText {
  /** Lines of it that are not its host's; null where it is the first page of its host. */
  readonly own: readonly string[] | null;
  /** By the whole of its text. */
  readonly novelty: Novelty;
  /** Judged. */
  readonly links: readonly CommittedLink[];
}

export interface TrapVerdict {
  readonly novelty: Novelty;
  /** Why links of the page are not followed, in words; null where they are. */
  readonly heldBecause: string | null;
}

/** Says it of a page that was committed just now, and adds the page to what its host has said. */
export async function judgeTrap(
  visit: Visit,
  { own, novelty, links }: ComparedText,
  search: NoveltySearch,
  signal: AbortSignal,
): Promise<TrapVerdict> {
  if (own === null || novelty === null) return { novelty, heldBecause: null };
  const sketch = contentSketch(own, visit.url, picturesOf(links));
  const pattern = urlShape(visit.url, 'program');
  const place: PagePlace = { host: visit.host, pattern, folder: folderOf(pattern) };
  const { saysNew, showsNew, standing } = await search.trapMemory.recall(place, sketch);
  if (showsNew) return { novelty: 'new', heldBecause: null };
  if (standing.kind === 'infinite') {
    return { novelty: 'known', heldBecause: visit.depth === 0 ? null : standing.rule };
  }
  if (standing.kind === 'probe') {
    const answer = await answerOf({ visit, sketch, links, of: standing.of }, search, signal);
    await search.trapMemory.keepAnswer(place, standing.name, answer);
    if (answer.kind === 'infinite' && standing.of === 'address') return { novelty: 'known', heldBecause: null };
  }
  const saysNothing = !saysNew && isChoice(visit.url);
  return { novelty: saysNothing ? 'known' : novelty, heldBecause: null };
}

/** Links of trap pages are skipped so far: a link of another page still queues their target. */
export function linksHeldBack(
  { heldBecause }: TrapVerdict,
  links: readonly CommittedLink[],
  { url: referrer }: Visit,
): readonly CommittedLink[] {
  if (heldBecause === null) return links;
  return unfollowedLinks(links, (url) => ({
    kind: 'skipped',
    record: { url, reason: 'trap', rule: heldBecause, referrer },
    soFar: true,
  }));
}

/** Outcomes that say what the site makes of the probe. */
const IS_ANSWER: ReadonlySet<VisitOutcomeKind> = new Set(['captured', 'http-error', 'redirected', 'not-html']);

/** The page whose group is to be probed. */
interface Suspect {
  readonly visit: Visit;
  readonly sketch: ContentSketch;
  readonly links: readonly CommittedLink[];
  readonly of: ProbePlace;
}

async function answerOf(
  { visit, sketch, links, of }: Suspect,
  search: NoveltySearch,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const asked = of === 'address' ? probeUrl(visit.url) : probeUrlBeside(visit.url, of);
  const url = asked === null ? null : canonicalUrl(asked);
  if (url === null || url === visit.url) return { kind: 'finite' };
  const outcome = await search.askFor(url, visit, signal);
  if (outcome?.kind === 'captured' && leadsOn(outcome.page, links)) {
    const answer = await sketchOfProbe(outcome.page, visit, search);
    // of a folder or a host pages are compared with it one by one
    if (of !== 'address' || saysTheSame(sketch, answer)) return { kind: 'infinite', asked: url, sketch: answer };
  }
  return { kind: outcome !== null && IS_ANSWER.has(outcome.kind) ? 'finite' : 'unknown' };
}

/**
 * Whether the probe names pages of its host that the page does not: what is answered to it and leads nowhere makes no space
 * without end, as where a program answers for every number and links those that there are.
 */
function leadsOn({ url, foundLinks }: Page, links: readonly CommittedLink[]): boolean {
  const named = new Set(links.map(({ record }) => record.to));
  return foundLinks.some(({ href, base, kind, confidence }) => {
    if (confidence === 'low' || kind === 'resource') return false;
    const to = canonicalise(href, base);
    return to.kind === 'canonical' && hostKeyOf(to.url) === hostKeyOf(url) && to.url !== url && !named.has(to.url);
  });
}

async function sketchOfProbe({ url, text }: Page, visit: Visit, { similar }: NoveltySearch): Promise<ContentSketch> {
  return contentSketch(ownLines(await similar.boilerplateOf(visit.host), linesOf(text ?? '')), url, []);
}

const SHOWS = /^(?:img|source|picture|image|video|audio|embed|object)\b/;

function picturesOf(links: readonly CommittedLink[]): readonly string[] {
  return links.flatMap(({ record, target }) =>
    target.kind === 'subresource' && SHOWS.test(record.context) ? [record.to] : [],
  );
}
