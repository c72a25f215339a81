/**
 * The tails of a page's links: the last part of their path, and the query. Copies of a page in another folder, or
 * under another session, lead to other addresses with the same tails; two pages of a listing with the same text lead to
 * other tails.
 */
import { fnv1a, mixed } from '../../base/hash.ts';
import { similarityOfBytes } from './banding.ts';
import { superMinHash } from './minhash.ts';

/** Bytes of a sketch: its estimates have a standard deviation of .08 at a similarity of .8. */
const SKETCH_BYTES = 24;
/** A count is kept in two bytes. */
const MOST_TAILS = 0xffff;

export interface LinkSignature {
  /** Number of different tails. */
  readonly count: number;
  /** 32 bits; equal for equal sets. */
  readonly digest: number;
  /** SKETCH_BYTES bytes, from which the similarity of two sets is estimated. */
  readonly sketch: Uint8Array;
}

/**
 * @param urls canonical, of the pages that the page leads to
 * @param hashOf {@link tailHash}, or an equal function
 */
export function linkSignatureOf(urls: Iterable<string>, hashOf: (url: string) => number = tailHash): LinkSignature {
  const tails = new Set<number>();
  for (const url of urls) tails.add(hashOf(url));
  let digest = tails.size;
  for (const tail of tails) digest = (digest + mixed(tail ^ 0x2545f491)) >>> 0;
  const sketch = Uint8Array.from(superMinHash(tails).subarray(0, SKETCH_BYTES));
  return { count: Math.min(MOST_TAILS, tails.size), digest, sketch };
}

/** Hash of a link's tail, 32 bits with a sign. */
export function tailHash(url: string): number {
  return mixed(fnv1a(linkTail(url))) | 0;
}

/** `https://a.test/en/guide/start/?page=2` → `start?page=2`. */
export function linkTail(url: string): string {
  const query = url.search(/[?#]/);
  let end = query === -1 ? url.length : query;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  const path = url.slice(0, end);
  return path.slice(path.lastIndexOf('/') + 1) + (query === -1 ? '' : url.slice(query));
}

/** Comparison of another page's link signature with a page's own. */
export interface LinkSignatureMatch {
  /** Number of tails of the other page. */
  readonly count: number;
  readonly same: boolean;
  /** Number of bytes that are equal in both sketches. */
  readonly equal: number;
}

/** Estimated number of the page's link tails that the other page lacks; 0 where they are the same. */
export function ownLinkTails({ count }: LinkSignature, other: LinkSignatureMatch): number {
  if (other.same || count === 0) return 0;
  const similar = similarityOfBytes(other.equal, SKETCH_BYTES);
  const shared = (similar / (1 + similar)) * (count + other.count);
  return Math.max(1, Math.round(count - shared));
}
