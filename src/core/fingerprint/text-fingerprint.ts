/** The values kept of a page's text to find pages like it. */
import { lowBytes } from './banding.ts';
import { ownLines, type BoilerplateCounts } from './boilerplate.ts';
import { superMinHash } from './minhash.ts';
import { normalText } from './normal-text.ts';
import { shinglesOf } from './shingle.ts';
import { LEAST_SHINGLES } from './signature.ts';

export interface TextFingerprint {
  /** A byte for each component; null for a text of fewer than 20 shingles, which is only compared for equality. */
  readonly signature: Uint8Array | null;
  /**
   * `little` where fewer than 20 shingles of the text are the page's own: then its text is mostly that of its site,
   * and the likeness of two pages is a weak reason not to follow the links of one.
   */
  readonly evidence: 'much' | 'little';
  /** The page's own lines, without the host's. */
  readonly own: readonly string[];
  /** Has the text no word? */
  readonly empty: boolean;
}

/**
 * The fingerprint of the page's own lines, or of all of its text where these are too few.
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
