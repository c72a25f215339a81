import type { CanonicalUrl } from './url/canonical-url.ts';

/** How a link was found (docs/links.md, "links.jsonl"). */
export const LINK_KINDS = [
  'anchor',
  'area',
  'frame',
  'form',
  'meta-refresh',
  'header',
  'link-element',
  'redirect',
  'history',
  'navigation',
  'window-open',
  'click',
  'script',
  'json',
  'css',
  'sitemap',
  'robots',
  'feed',
  /** What a page shows or loads by its markup: pictures, scripts, sheets, media. */
  'resource',
  /** An attribute that is no link of HTML: `data-href`, `hx-get`, `ping`, `cite`. */
  'attribute',
  /** A URL in text or in a comment. */
  'text',
  /** What a script asked the network for: fetch, XHR, event stream, socket, beacon, worker, import. */
  'request',
] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

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
}

/** A found link with its canonical target. */
export interface Link extends FoundLink {
  readonly to: CanonicalUrl;
}
