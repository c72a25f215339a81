/** The values kept of a page's text to find pages like it. */
import { lowBytes } from './banding.ts';
import { ownLines, type BoilerplateCounts } from './boilerplate.ts';
import { superMinHash } from './minhash.ts';
import { normalText } from './normal-text.ts';
import { shinglesOf } from './shingle.ts';
import { LEAST_SHINGLES } from './signature.ts';

export interface TextFingerprint {
  /** A byte for each component; null for a text of fewer than 20 shingles, which is like an equal one only. */
  readonly signature: Uint8Array | null;
  /**
   * `little` where less than 20 shingles of the text are the page's own: then what it says is like what its whole site says,
   * and that two such pages are alike is not much of a reason to leave one's links alone.
   */
  readonly evidence: 'much' | 'little';
  /** Lines that are not the host's. */
  readonly own: readonly string[];
  /** Whether there is any word. */
  readonly empty: boolean;
}

/**
 * The fingerprint of the page's own lines; of all of its text where that is too little.
 * @param lines as they came, see boilerplate.ts
 * @param normal all of the text in its normal form
 */
export function textFingerprint(
  lines: readonly string[],
  normal: string,
  boilerplate: BoilerplateCounts,
): TextFingerprint {
  const own = ownLines(boilerplate, lines);
  const isWhole = own.length === lines.length;
  const ownShingles = shinglesOf(isWhole ? normal : normalText(own.join('\n')));
  const evidence = ownShingles.size < LEAST_SHINGLES ? 'little' : 'much';
  const shingles = evidence === 'much' || isWhole ? ownShingles : shinglesOf(normal);
  const signature = shingles.size < LEAST_SHINGLES ? null : lowBytes(superMinHash(shingles));
  return { signature, evidence, own, empty: shingles.size === 0 };
}
