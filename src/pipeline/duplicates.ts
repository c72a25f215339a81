/** Finds out if a page is like an earlier one, and what happens to its links then. core/fingerprint/verdict.ts decides. */
import { linkSignatureOf } from '../core/fingerprint/link-signature.ts';
import { duplicateVerdict, type DuplicateVerdict } from '../core/fingerprint/verdict.ts';
import type { SimilarityIndex } from '../dedup/similarity-index.ts';
import type { CommittedLink } from '../model/visit-commit.ts';
import type { Visit } from '../model/visit.ts';
import type { Offload } from '../offload/offload.ts';
import { gaveUpWords } from '../offload/task.ts';
import { COMPARABLE_TEXT, type TextFigures } from './page-text.ts';
import { unfollowedLinks } from './unfollowed-links.ts';
import type { UrlHashes } from './url-hashes.ts';

export interface DuplicateSearch {
  readonly similar: SimilarityIndex;
  /** `--follow-duplicates`. */
  readonly followDuplicates: boolean;
  /** Threads that read texts. */
  readonly offload: Offload;
  /** Cache of hashes; left out for none. */
  readonly hashes?: UrlHashes;
}

/** Result for a page without text. */
export const NO_TEXT: Likeness = {
  duplicateOf: null,
  similarity: null,
  novelty: null,
  heldBecause: null,
  own: null,
  figures: null,
  unread: [],
};

interface Likeness extends DuplicateVerdict {
  /** Lines of the page that are not its host's boilerplate; null where it is the first page of its host, or has no text. */
  readonly own: readonly string[] | null;
  /** Null where it has no text, or unreadable text. */
  readonly figures: TextFigures | null;
  /** Reasons why its text could not be read; empty where it could. */
  readonly unread: readonly string[];
}

/** Compares a page with earlier ones, and adds it to them. Asked again for the same visit, it gives the same answer. */
export async function findDuplicate(
  visit: Visit,
  raw: string,
  links: readonly CommittedLink[],
  { similar, followDuplicates, offload, hashes, signal }: DuplicateSearch & { readonly signal: AbortSignal },
): Promise<Likeness> {
  const boilerplate = await similar.boilerplateOf(visit.host);
  const read = await offload.run(COMPARABLE_TEXT, { raw, boilerplate }, { url: visit.url, size: raw.length }, signal);
  if (read.kind === 'gave-up') return { ...NO_TEXT, unread: [gaveUpWords(COMPARABLE_TEXT, read)] };
  const { figures, fingerprint, grown } = read.value;
  if (fingerprint.empty) return { ...NO_TEXT, figures };
  const { digest } = figures;
  const linkSignature = linkSignatureOf(targetsOf(links), hashes?.tail);
  const like = await similar.place({ url: visit.url, digest, signature: fingerprint.signature, linkSignature });
  const isCopy = like !== null && like.sameDomain && like.similarity === 1;
  if (!isCopy && grown !== null && visit.again !== true) await similar.keepBlocks(visit.host, grown);
  const verdict = duplicateVerdict({ fingerprint, linkSignature, isSeed: visit.depth === 0, followDuplicates }, like);
  return { ...verdict, own: boilerplate.pages === 0 ? null : fingerprint.own, figures, unread: [] };
}

/** The links of a page after its verdict. Links of a duplicate are skipped so far: a link of another page still queues their target. */
export function linksOfDuplicate(
  { heldBecause }: DuplicateVerdict,
  links: readonly CommittedLink[],
  { url: referrer }: Visit,
): readonly CommittedLink[] {
  if (heldBecause === null) return links;
  return unfollowedLinks(links, (url) => ({
    kind: 'skipped',
    record: { url, reason: 'duplicate', rule: heldBecause, referrer },
  }));
}

/** URLs of the pages that a page links to with high confidence. */
function targetsOf(links: readonly CommittedLink[]): readonly string[] {
  const urls: string[] = [];
  for (const { target } of links)
    if (target.kind === 'candidate' && target.candidate.confidence === 'high') urls.push(target.candidate.url);
  return urls;
}
