/**
 * Passes each page to the trap detector: did it bring anything new to its host, and are pages like it endless? Pages that say
 * nothing new but for figures, dates and their own address (core/fingerprint/content-sketch.ts) still count as new, as
 * catalogue entries may be, unless
 *   - the site gives a probe a similar answer that leads on. A probe is an address of the same form that no page names. It is queued once
 *     there are many such pages, once for each group, and visited like any other URL (pipeline/probe-answer.ts);
 *   - or their address is a choice among filters.
 * After such an answer to a probe, the links of such pages are no longer followed: the space is infinite.
 */
import { fnv1a } from '../base/hash.ts';
import { contentSketch, type ContentSketch } from '../core/fingerprint/content-sketch.ts';
import type { Scope } from '../core/scope/decide.ts';
import { folderOf, isChoice } from '../core/traps/pattern.ts';
import { probeUrlBeside, probeUrl } from '../core/traps/probe-url.ts';
import type { Candidate } from '../model/candidate.ts';
import { canonicalise, type UrlPolicy } from '../model/url/canonical-url.ts';
import { urlShape } from '../model/url/url-shape.ts';
import type { Novelty, CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import type { TrapMemory, PagePlace, ProbePlace, TrapStanding } from '../traps/trap-memory.ts';
import { isShownPart } from './shown-parts.ts';
import { unfollowedLinks } from './unfollowed-links.ts';

export interface NoveltySearch {
  readonly trapMemory: TrapMemory;
  /** Queues a probe: from then on a URL like any other; pipeline/probe-answer.ts reads its answer. */
  readonly queueProbe: (probe: Candidate) => Promise<void>;
  /** Judges the address of a probe as it does that of a link. */
  readonly scope: Pick<Scope, 'judge' | 'contains'>;
  readonly urlPolicy: UrlPolicy;
}

/** The facts of a page that was compared with others. */
interface ComparedText {
  /** Lines of the page that are not its host's boilerplate; null where it is the first page of its host. */
  readonly own: readonly string[] | null;
  /** Novelty by the whole text. */
  readonly novelty: Novelty;
  /** Its links, judged. */
  readonly links: readonly CommittedLink[];
}

export interface TrapVerdict {
  readonly novelty: Novelty;
  /** Reason, in words, why links of the page are not followed; null where they are. */
  readonly heldBecause: string | null;
}

/** Judges a page before its commit, and adds it to its host's memory. */
export async function judgeTrap(
  visit: Visit,
  { own, novelty, links }: ComparedText,
  search: NoveltySearch,
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
  if (standing.kind === 'probe') await sendProbe({ visit, sketch, links, place }, standing, search);
  const saysNothing = !saysNew && isChoice(visit.url);
  return { novelty: saysNothing ? 'known' : novelty, heldBecause: null };
}

/** The links of a page after its verdict. Links of a trap page are skipped so far: a link of another page still queues their target. */
export function linksOfTrap(
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

/** Most URLs of a page stored with a probe; a page with more links leads on for sure. */
const NAMED_LIMIT = 2000;

/** Creates the probe of a page's group, and queues it before all other pages of its host. */
async function sendProbe(
  { visit, sketch, links, place }: Suspect,
  { name, of }: Extract<TrapStanding, { kind: 'probe' }>,
  { trapMemory, queueProbe, scope, urlPolicy }: NoveltySearch,
): Promise<void> {
  const probe = probeOf(visit, of, { scope, urlPolicy });
  // no similar address can be made that may be visited: then the space is finite
  if (probe === null) return trapMemory.keepAnswer({ asked: visit.url, place, name }, { kind: 'finite' });
  const named = links.slice(0, NAMED_LIMIT).map(({ record }) => fnv1a(record.to));
  await trapMemory.keepQuestion({ asked: probe.url, place, name, of, words: sketch.words, named });
  await queueProbe(probe);
}

/** The probe of a page's group; null where no other address can be made, or the scope does not accept the one that was made. */
function probeOf(
  { url: referrer, depth, hops }: Visit,
  of: ProbePlace,
  { scope, urlPolicy }: Pick<NoveltySearch, 'scope' | 'urlPolicy'>,
): Candidate | null {
  const asked = of === 'address' ? probeUrl(referrer) : probeUrlBeside(referrer, of);
  const made = asked === null ? null : canonicalise(asked, undefined, urlPolicy);
  if (made?.kind !== 'canonical' || made.url === referrer) return null;
  const { url } = made;
  // it stands beside its page, and is no link further beyond the scope than that
  const place = { url, depth, redirects: 0, hops: scope.contains(url) ? 0 : Math.max(1, hops) };
  const isAccepted = scope.judge(place).kind === 'accepted';
  return isAccepted ? { ...place, referrer, kind: 'probe', confidence: 'high' } : null;
}

/** The page whose group needs a probe. */
interface Suspect {
  readonly visit: Visit;
  readonly sketch: ContentSketch;
  readonly links: readonly CommittedLink[];
  readonly place: PagePlace;
}

function picturesOf(links: readonly CommittedLink[]): readonly string[] {
  return links.flatMap(({ record, target }) =>
    target.kind === 'subresource' && isShownPart(record.context) ? [record.to] : [],
  );
}
