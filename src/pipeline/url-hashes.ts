/** Cache of URL hashes: pages of a site link to the same URLs, and each page is compared by all its links. */
import { fnv1a } from '../base/hash.ts';
import { remembered } from '../base/remembered.ts';
import { tailHash } from '../core/fingerprint/link-signature.ts';

export interface UrlHashes {
  /** {@link fnv1a} of the whole URL. */
  readonly whole: (url: string) => number;
  /** {@link tailHash} of the URL. */
  readonly tail: (url: string) => number;
}

export function rememberedHashes(): UrlHashes {
  return { whole: remembered(fnv1a), tail: remembered(tailHash) };
}
