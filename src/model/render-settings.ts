/** Settings of rendering that a user may choose: words of the options, and of the renderer that obeys them. */
import type { Milliseconds } from '../base/units.ts';

/** When a page counts as done: `auto` waits until nothing more happens on it. */
export type SettleMode =
  | { readonly kind: 'auto' }
  | { readonly kind: 'load' }
  | { readonly kind: 'after'; readonly duration: Milliseconds };

/** Interaction with a page to find more links; each level includes the one before. */
export const EXPLORE_LEVELS = ['none', 'scroll', 'click', 'submit'] as const;
export type ExploreLevel = (typeof EXPLORE_LEVELS)[number];

/** Classes of requests that a user may switch off. */
export const BLOCK_TYPES = ['image', 'font', 'media', 'stylesheet'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

/** `--select-links sel->attr`. */
export interface LinkSelector {
  readonly selector: string;
  readonly attribute: string;
}
