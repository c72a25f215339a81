/** Whether a page is like one that was there before, and what becomes of its links then. The decision is core/fingerprint/verdict.ts. */
import { isCounted, linesOf, withPage } from '../core/fingerprint/host-blocks.ts';
import { linkLooks } from '../core/fingerprint/link-looks.ts';
import { textPrint } from '../core/fingerprint/text-print.ts';
import { duplicateVerdict, type DuplicateVerdict } from '../core/fingerprint/verdict.ts';
import type { SettledLink } from '../model/settlement.ts';
import type { Visit } from '../model/visit.ts';
import type { SimilarityIndex } from '../similar/similarity-index.ts';
import { unfollowedLinks } from './unfollowed-links.ts';
import type { PageText } from './page-text.ts';

export interface DuplicateSearch {
  readonly similar: SimilarityIndex;
  /** `--follow-duplicates`. */
  readonly followDuplicates: boolean;
}

/** What is to be said of a page without text. */
export const NO_TEXT: Likeness = { duplicateOf: null, similarity: null, novelty: null, heldBecause: null, own: null };

export interface Likeness extends DuplicateVerdict {
  /** Lines of the page that are not its host's; null where it is the first page of its host, or has no text. */
  readonly own: readonly string[] | null;
}

/** Compares a page with those before it, and enters it with them. Asked again for the same visit it says the same. */
export async function findDuplicate(
  visit: Visit,
  { raw, normal, digest }: PageText,
  links: readonly SettledLink[],
  { similar, followDuplicates }: DuplicateSearch,
): Promise<Likeness> {
  const lines = linesOf(raw);
  const blocks = await similar.blocksOf(visit.host);
  const print = textPrint(lines, normal, blocks);
  if (print.empty) return NO_TEXT;
  const looks = linkLooks(targetsOf(links));
  const like = await similar.place({ url: visit.url, digest, signature: print.signature, looks });
  const isCopy = like !== null && like.sameDomain && like.similarity === 1;
  if (!isCopy && isCounted(blocks, digest)) await similar.keepBlocks(visit.host, withPage(blocks, lines));
  const verdict = duplicateVerdict({ print, looks, isSeed: visit.depth === 0, followDuplicates }, like);
  return { ...verdict, own: blocks.pages === 0 ? null : print.own };
}

/**
 * The links of a page as its verdict leaves them. What is not followed from here may be followed from another page: it is skipped
 * so far, see `deferred` in the frontier's keys.
 */
export function linksAfter(
  { heldBecause }: DuplicateVerdict,
  links: readonly SettledLink[],
  { url: referrer }: Visit,
): readonly SettledLink[] {
  if (heldBecause === null) return links;
  return unfollowedLinks(links, (url) => ({
    kind: 'skipped',
    record: { url, reason: 'duplicate', rule: heldBecause, referrer },
  }));
}

/** The pages that a page leads to, as far as it says so itself. */
function targetsOf(links: readonly SettledLink[]): readonly string[] {
  return links.flatMap(({ target }) =>
    target.kind === 'candidate' && target.candidate.confidence === 'high' ? [target.candidate.url] : [],
  );
}
