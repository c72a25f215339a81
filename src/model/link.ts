import type { LinkKind } from './link-kinds.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** Stage of the visit at which a link was found: the exploration level that it took. */
export const LINK_STAGES = ['load', 'scroll', 'click', 'submit'] as const;
export type LinkStage = (typeof LINK_STAGES)[number];

/** `low`: a text that looks like a URL of the site but may be none; followed only within a budget per host. */
export const LINK_CONFIDENCES = ['high', 'low'] as const;
export type LinkConfidence = (typeof LINK_CONFIDENCES)[number];

/** A link as found, not yet judged; its texts are the page's. */
export interface FoundLink {
  /** The reference as written; may be relative. */
  readonly href: string;
  /** Its base URL (document base of its frame). */
  readonly base: string;
  /**
   * URL as the browser resolves it, where that differs from `href` resolved against `base`: a query is encoded in the
   * encoding of its document. Null where it does not differ, and for links from no document.
   */
  readonly resolved: string | null;
  readonly kind: LinkKind;
  readonly confidence: LinkConfidence;
  /** Place of the link: `a/@href`, `history.pushState`, `Link;rel=next` (Heritrix' link context). */
  readonly context: string;
  readonly stage: LinkStage;
  /** URL of the frame that it was found in; null for the page itself. */
  readonly frame: string | null;
  /** Anchor text, white space folded, at most 200 characters. */
  readonly text: string;
  /** The rel attribute's tokens in lower case. */
  readonly rel: readonly string[];
  /** Its fragment is a route of the page's application, though it does not look like a route. */
  readonly isRoute?: true;
}

/** A found link with its canonical target. */
export interface Link extends FoundLink {
  readonly to: CanonicalUrl;
}
