/** Rendering settings that a user may choose: values of the options, obeyed by the renderer. */
import type { Milliseconds } from '../base/units.ts';

/** Condition under which a page counts as done: `auto` waits until nothing more happens on it. */
export type SettleMode =
  | { readonly kind: 'auto' }
  | { readonly kind: 'load' }
  | { readonly kind: 'after'; readonly duration: Milliseconds };

/** Interaction with a page to find more links; each level includes the one before. */
export const EXPLORE_LEVELS = ['none', 'scroll', 'click', 'submit'] as const;
export type ExploreLevel = (typeof EXPLORE_LEVELS)[number];

/** Request classes that a user may block. */
export const BLOCK_TYPES = ['image', 'font', 'media', 'stylesheet'] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

/** `--select-links sel->attr`. */
export interface LinkSelector {
  readonly selector: string;
  readonly attribute: string;
}
