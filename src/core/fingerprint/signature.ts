import { superMinHash } from './minhash.ts';
import { normalText } from './normal-text.ts';
import { shinglesOf } from './shingle.ts';

/**
 * Fewer shingles are too few for an estimate: such texts are the same where they are equal, else different
 * (design/duplicates-and-traps, "Shingles").
 */
export const LEAST_SHINGLES = 20;

/** The values of a text by which it is compared. */
export interface Signature {
  /** Different shingles of the text. */
  readonly shingles: number;
  /** 128 components of 32 bits. */
  readonly components: Uint32Array;
}

/** The signature of a text, brought to its normal form first; so a time of day or a date makes no difference. */
export function textSignature(text: string): Signature {
  const shingles = shinglesOf(normalText(text));
  return { shingles: shingles.size, components: superMinHash(shingles) };
}

/**
 * The estimated Jaccard similarity of two texts' shingles, 0 to 1. Two texts without any words are not alike: nothing is
 * known of them. Short texts are alike only if they are equal.
 */
export function similarity(a: Signature, b: Signature): number {
  if (a.shingles === 0 || b.shingles === 0) return 0;
  let equal = 0;
  for (const [index, component] of a.components.entries()) if (component === b.components[index]) equal += 1;
  const short = Math.min(a.shingles, b.shingles) < LEAST_SHINGLES;
  return short && equal < a.components.length ? 0 : equal / a.components.length;
}
