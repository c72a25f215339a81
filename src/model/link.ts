import type { LinkKind } from './link-kinds.ts';
import type { CanonicalUrl } from './url/canonical-url.ts';

/** When in the visit it was there: the level of exploration that it took. */
export const LINK_STAGES = ['load', 'scroll', 'click', 'submit'] as const;
export type LinkStage = (typeof LINK_STAGES)[number];

/** `low`: a text that looks like a URL of the site and may be none; followed within a budget for each host only. */
export const LINK_CONFIDENCES = ['high', 'low'] as const;
export type LinkConfidence = (typeof LINK_CONFIDENCES)[number];

/** A link as it was seen, not yet judged: the words of the page. */
export interface FoundLink {
  /** The reference as written; may be relative. */
  readonly href: string;
  /** The base URL that it is relative to (document base of its frame). */
  readonly base: string;
  /**
   * Where the browser goes by it, if that is not what `href` and `base` give by themselves: a query is encoded in the
   * encoding of its document. Null where they do, and for what no document was the source of.
   */
  readonly resolved: string | null;
  readonly kind: LinkKind;
  readonly confidence: LinkConfidence;
  /** Where it stands: `a/@href`, `history.pushState`, `Link;rel=next` (Heritrix' link context). */
  readonly context: string;
  readonly stage: LinkStage;
  /** URL of the frame that it was found in; null for the page itself. */
  readonly frame: string | null;
  /** Anchor text, white space folded, at most 200 characters. */
  readonly text: string;
  /** The rel attribute's tokens in lower case. */
  readonly rel: readonly string[];
  /** Its fragment is a route of the page's application, though it does not look like one. */
  readonly isRoute?: true;
}

/** A found link with its canonical target. */
export interface Link extends FoundLink {
  readonly to: CanonicalUrl;
}
