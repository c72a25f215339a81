/**
 * The similarity index: which pages of a crawl are like which. It keeps the first page of each kind, its representative; what is like
 * a representative is not entered.
 *
 * Invariants, held by the tests:
 *   - looking up and entering are one step: of two pages that are alike one is the first, however close they come;
 *   - a page is never like itself: visited again with the same text it is what it was, with another text its old entries are
 *     taken out in the step that makes the new ones;
 *   - every representative has one entry for its URL, one for its text and one for each band; nothing else has any;
 *   - a page that is like pages of other registrable domains only is a representative in its own domain, too (hostile F51).
 */
import type { BoilerplateCounts } from '../core/fingerprint/boilerplate.ts';
import type { LinkSignature } from '../core/fingerprint/link-signature.ts';
import type { LikePage } from '../core/fingerprint/verdict.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** The known facts of a page that was visited. */
export interface ComparedPage {
  readonly url: CanonicalUrl;
  /** SHA-256 of its text in normal form, hexadecimal. */
  readonly digest: string;
  /** null for a text that is like an equal one only. */
  readonly signature: Uint8Array | null;
  readonly linkSignature: LinkSignature;
}

export interface SimilarityIndex {
  /**
   * Looks for a page like this one, and enters it where there is none in its registrable domain.
   * @returns the one most like it, of its own domain where there is any; null where it is the first of its kind
   */
  place(page: ComparedPage): Promise<LikePage | null>;
  /** The lines that a host's pages share, as far as they were counted. */
  boilerplateOf(host: HostKey): Promise<BoilerplateCounts>;
  /** Two that come at the same moment may lose the count of one page. */
  keepBlocks(host: HostKey, boilerplate: BoilerplateCounts): Promise<void>;
}
