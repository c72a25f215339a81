/** Hashes of URLs, remembered: the pages of a site lead to the same places, and each page is compared by all that it leads to. */
import { fnv1a } from '../base/hash.ts';
import { remembered } from '../base/remembered.ts';
import { shapeHash } from '../core/fingerprint/link-signature.ts';

export interface UrlHashes {
  /** {@link fnv1a} of the whole. */
  readonly whole: (url: string) => number;
  /** {@link shapeHash}. */
  readonly shape: (url: string) => number;
}

export function rememberedHashes(): UrlHashes {
  return { whole: remembered(fnv1a), shape: remembered(shapeHash) };
}
