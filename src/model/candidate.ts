import type { LinkKind } from './link-kinds.ts';
import type { LinkConfidence } from './link.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** A URL that is in scope and is offered to the frontier. */
export interface Candidate {
  readonly url: CanonicalUrl;
  /** Number of links from a seed, 0 or more; a redirect does not count. */
  readonly depth: number;
  /** Number of redirects followed in a row to reach it; 0 for all but redirect targets. */
  readonly redirects: number;
  /** Number of links beyond the scope that led here, including the last one; 0 for URLs below the scope roots (`--extra-hops`). */
  readonly hops: number;
  /** The page that links to it, or, for a probe, the page that the probe tests; null for a seed. */
  readonly referrer: CanonicalUrl | null;
  /** `probe`: no page names it: a soft-404 probe (core/traps/probe-url.ts), or a sitemap's usual place (pipeline/robots-names.ts). */
  readonly kind: LinkKind | 'seed' | 'probe';
  /** `low` is a speculative link: it comes after all others, within its host's speculative budget. */
  readonly confidence: LinkConfidence;
}

/** A page that was only read without a browser and is to be visited again. */
export interface SecondVisit extends Candidate {
  /** Hashes of links that its first visit recorded and its markup lacks (core/page-clusters/render-comparison.ts); left out for none. */
  readonly recorded?: readonly number[];
}
