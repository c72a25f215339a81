/**
 * The similarity index: finds near-duplicate pages of a crawl. It stores the first page of each kind, its representative; pages like
 * a representative are not entered.
 *
 * Invariants, checked by the tests:
 *   - looking up and entering are one step: of two similar pages exactly one is the first, however close they come;
 *   - a page is never like itself: visited again with the same text it keeps its role; with another text its old entries are
 *     removed in the step that adds the new ones;
 *   - every representative has one entry for its URL, one for its text and one for each band; there are no other entries;
 *   - a page that is like pages of other registrable domains only is also a representative in its own domain (hostile F51).
 */
import type { BoilerplateCounts } from '../core/fingerprint/boilerplate.ts';
import type { LinkSignature } from '../core/fingerprint/link-signature.ts';
import type { LikePage } from '../core/fingerprint/verdict.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** The facts of a visited page that are compared. */
export interface ComparedPage {
  readonly url: CanonicalUrl;
  /** SHA-256 of its text in normal form, hexadecimal. */
  readonly digest: string;
  /** null for a text that can only match an equal text. */
  readonly signature: Uint8Array | null;
  readonly linkSignature: LinkSignature;
}

export interface SimilarityIndex {
  /**
   * Finds a page like this one, and enters this one if its registrable domain has none.
   * @returns the most similar page, preferably of its own domain; null where it is the first of its kind
   */
  place(page: ComparedPage): Promise<LikePage | null>;
  /** The lines that a host's pages share, as far as they are counted. */
  boilerplateOf(host: HostKey): Promise<BoilerplateCounts>;
  /** Stores the line counts. Two calls at the same moment may lose the count of one page. */
  keepBlocks(host: HostKey, boilerplate: BoilerplateCounts): Promise<void>;
}
