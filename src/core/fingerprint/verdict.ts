/**
 * Decides the consequences of a page's likeness to an earlier one.
 *
 * The likeness is recorded from the similarity of `--near-duplicates` on. Within one registrable domain the trap detector counts the
 * page as one that brought nothing new; from FOLLOW_BELOW on its links are recorded and not followed, so that its credit goes to the
 * lambda page (Manku et al., WWW 2007). Across domains the likeness is only recorded: a mirror that is found first must not keep the
 * original page out of a crawl.
 *
 * A text alone says little about where a page leads: the pages of a gallery, or a list that shows no words, have one text and
 * lead to different pages, each of which would be lost. So links are followed all the same
 *   - where several look unlike the links of the earlier page, for then it is another page of a list;
 *   - where there is little text to go by, and any link looks unlike them;
 *   - on seeds: a user who names two pages means both.
 */
import { ownLinkTails, type LinkSignature, type LinkSignatureMatch } from './link-signature.ts';
import type { TextFingerprint } from './text-fingerprint.ts';

/** A duplicate changes what is crawled only from this similarity on (design/duplicates-and-traps, "The verdict"). */
const FOLLOW_BELOW = 0.95;
/** Links of its own that a duplicate may have, as copies do: a way back, a next page, a permanent address. */
const FEW_LINKS = 2;
/** Share of its links that may also be its own, because their number is an estimate. */
const FEW_SHARE = 0.1;

/** An earlier page. */
export interface LikePage {
  readonly url: string;
  /** 1 for the same text. */
  readonly similarity: number;
  readonly sameDomain: boolean;
  readonly linkSignature: LinkSignatureMatch;
}

export interface DuplicateQuestion {
  readonly fingerprint: Pick<TextFingerprint, 'empty' | 'evidence'>;
  readonly linkSignature: LinkSignature;
  readonly isSeed: boolean;
  /** `--follow-duplicates`. */
  readonly followDuplicates: boolean;
}

export interface DuplicateVerdict {
  readonly duplicateOf: string | null;
  readonly similarity: number | null;
  readonly novelty: 'new' | 'known' | null;
  /** Why its links are not followed, in words; null where they are. */
  readonly heldBecause: string | null;
}

/** @param like the most similar earlier page; null where there is none */
export function duplicateVerdict(question: DuplicateQuestion, like: LikePage | null): DuplicateVerdict {
  if (question.fingerprint.empty) return { duplicateOf: null, similarity: null, novelty: null, heldBecause: null };
  if (like === null) return { duplicateOf: null, similarity: null, novelty: 'new', heldBecause: null };
  const similarity = Math.round(like.similarity * 1e4) / 1e4;
  const found = { duplicateOf: like.url, similarity };
  if (!like.sameDomain) return { ...found, novelty: 'new', heldBecause: null };
  const held = similarity >= FOLLOW_BELOW && !mayFollow(question, like);
  const words = `the page is a duplicate of ${like.url} (similarity ${similarity})`;
  return { ...found, novelty: 'known', heldBecause: held ? words : null };
}

function mayFollow(
  { fingerprint, linkSignature, isSeed, followDuplicates }: DuplicateQuestion,
  like: LikePage,
): boolean {
  if (isSeed || followDuplicates) return true;
  const own = ownLinkTails(linkSignature, like.linkSignature);
  return fingerprint.evidence === 'little' ? own > 0 : own > Math.max(FEW_LINKS, linkSignature.count * FEW_SHARE);
}
