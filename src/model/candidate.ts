import type { LinkKind } from './link-kinds.ts';
import type { LinkConfidence } from './link.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** A URL that passed the scope and is offered to the frontier. */
export interface Candidate {
  readonly url: CanonicalUrl;
  /** Links from a seed; a redirect does not count. 0 or more. */
  readonly depth: number;
  /** Redirects followed in a row to come here; 0 for all but the target of a redirect. */
  readonly redirects: number;
  /** Links beyond the scope that led here, this one included; 0 for what lies below the scope roots (`--extra-hops`). */
  readonly hops: number;
  /** The page that named it, or, of a probe, the page that it was asked for beside; null for a seed. */
  readonly referrer: CanonicalUrl | null;
  /** `probe`: nobody named it: a soft-404 probe (core/traps/probe-url.ts), or the usual place of a sitemap (pipeline/robots-names.ts). */
  readonly kind: LinkKind | 'seed' | 'probe';
  /** `low` is a speculative link: it comes after all others, and its host's speculative budget must allow it. */
  readonly confidence: LinkConfidence;
}

/** A page that was only read, and is to be visited again. */
export interface SecondVisit extends Candidate {
  /** Hashes of the links that its first visit recorded, and that its markup does not hold (core/page-clusters/render-comparison.ts); left out for none. */
  readonly recorded?: readonly number[];
}
