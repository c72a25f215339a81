/**
 * Parameters that change nothing: learns about them from pages, and finds links that need no visit because of them (core/folding). A folded
 * URL returns to the frontier when a page shows that its parameter matters after all.
 */
import { addressOf, hasParameters } from '../core/folding/address.ts';
import { contentOf, placesIn } from '../core/folding/page-content.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Page } from '../model/page.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import type { Fold, ParameterMemory } from '../traps/parameter-memory.ts';
import type { TextFigures } from './page-text.ts';
import { isShownPart } from './shown-parts.ts';
import type { UrlHashes } from './url-hashes.ts';

export interface FoldSearch {
  readonly parameterMemory: ParameterMemory;
  /** Cache of hashes; left out for none. */
  readonly hashes?: UrlHashes;
  /** Queues the URLs folded under an id. */
  readonly unfold: (id: string) => Promise<void>;
}

interface ReadPage {
  readonly page: Page;
  /** Null where it has no text: such a page teaches nothing. */
  readonly figures: TextFigures | null;
  /** Its links, judged. */
  readonly links: readonly CommittedLink[];
}

/** Adds a page to the knowledge of its family's parameters, and queues URLs whose folds it proves wrong. */
export async function learnParameters(
  visit: Visit,
  { page, figures, links }: ReadPage,
  { parameterMemory, hashes, unfold }: FoldSearch,
): Promise<void> {
  if (figures === null || figures.words === 0 || page.truncated !== null) return;
  const { url } = visit;
  const targets: string[] = [];
  for (const { record, target } of links) {
    const isShown = target.kind === 'subresource' ? isShownPart(record.context) : record.confidence === 'high';
    if (isShown) targets.push(record.to);
  }
  await parameterMemory.learn({
    address: addressOf(url),
    content: contentOf({ url, title: page.title, digest: figures.digest, targets }, hashes?.whole),
    places: url.includes('#') ? placesIn(page.html ?? '') : [],
    rendered: page.rendered,
  });
  await takeBack({ parameterMemory, unfold });
}

/** Queues wrongly folded URLs: those that this page disproves, or an earlier one at which the program ended. */
export async function takeBack({
  parameterMemory,
  unfold,
}: Pick<FoldSearch, 'parameterMemory' | 'unfold'>): Promise<void> {
  for (const id of await parameterMemory.undone()) {
    // oxlint-disable-next-line no-await-in-loop -- there is hardly ever more than one
    await unfold(id);
    // oxlint-disable-next-line no-await-in-loop
    await parameterMemory.takenBack(id);
  }
}

/** The links of a page; those that need no visit are skipped so far. */
export async function linksFolded(
  links: readonly CommittedLink[],
  visit: Visit,
  { parameterMemory }: Pick<FoldSearch, 'parameterMemory'>,
): Promise<readonly CommittedLink[]> {
  const candidates = new Set<CanonicalUrl>();
  for (const { target } of links)
    if (target.kind === 'candidate' && mayBeFolded(target.candidate)) candidates.add(target.candidate.url);
  if (candidates.size === 0) return links;
  const urls = [...candidates];
  const found = await parameterMemory.foldsOf(urls);
  const folds = new Map(urls.flatMap((url, index) => (found[index] ? [[url, found[index]] as const] : [])));
  return links.map((link) => {
    const candidate = link.target.kind === 'candidate' ? link.target.candidate : null;
    const fold = candidate === null || !mayBeFolded(candidate) ? undefined : folds.get(candidate.url);
    return candidate === null || fold === undefined ? link : { ...link, target: folded(candidate, fold, visit) };
  });
}

function folded(candidate: Candidate, { id, rule }: Fold, { url: referrer }: Visit): CommittedLink['target'] {
  const record = { url: candidate.url, reason: 'duplicate-query', rule, referrer } as const;
  return { kind: 'skipped', record, fold: { id, candidate } };
}

/** The reason why a leased URL need not be visited; null where it must be. */
export async function foldOfVisit(
  visit: Visit,
  { parameterMemory }: Pick<FoldSearch, 'parameterMemory'>,
): Promise<Fold | null> {
  // a URL over which the program ended must not become merely skipped so far; nor must a visited one
  if (visit.deaths > 0 || visit.again === true || !mayBeFolded(visit)) return null;
  const [fold = null] = await parameterMemory.foldsOf([visit.url]);
  return fold;
}

const OF_USER_OR_SITE: ReadonlySet<Candidate['kind']> = new Set(['seed', 'probe', 'redirect', 'sitemap', 'robots']);

/** False for URLs named by the user, the server or a sitemap: they are wanted as they are; and for speculative links, which have their own budget. */
function mayBeFolded({ url, kind, confidence }: Candidate): boolean {
  return confidence === 'high' && !OF_USER_OR_SITE.has(kind) && hasParameters(url);
}
