/**
 * What the links of a page look like: the last part of their path, and the query. Copies of a page in another folder, or
 * under another session, lead to other addresses that look the same; two pages of a listing with the same text lead to
 * addresses that do not.
 */
import { similarityOfBytes } from './banding.ts';
import { superMinHash } from './minhash.ts';
import { mixed } from './shingle.ts';

/** Bytes of a sketch: its estimates have a standard deviation of .08 at a similarity of .8. */
export const SKETCH_BYTES = 24;
/** A count is kept in two bytes. */
export const MOST_LOOKS = 0xffff;

export interface LinkLooks {
  /** How many different ones. */
  readonly count: number;
  /** 32 bits: equal sets have equal ones. */
  readonly digest: number;
  /** Of SKETCH_BYTES bytes, which estimate how alike two sets are. */
  readonly sketch: Uint8Array;
}

/** @param urls canonical, of the pages that the page leads to */
export function linkLooks(urls: Iterable<string>): LinkLooks {
  const looks = new Set<number>();
  for (const url of urls) looks.add(hashOf(lookOf(url)));
  let digest = looks.size;
  for (const look of looks) digest = (digest + mixed(look ^ 0x2545f491)) >>> 0;
  const sketch = Uint8Array.from(superMinHash(looks).subarray(0, SKETCH_BYTES));
  return { count: Math.min(MOST_LOOKS, looks.size), digest, sketch };
}

/** `https://a.test/en/guide/start/?page=2` → `start?page=2`. */
export function lookOf(url: string): string {
  const query = url.search(/[?#]/);
  let end = query === -1 ? url.length : query;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  const path = url.slice(0, end);
  return path.slice(path.lastIndexOf('/') + 1) + (query === -1 ? '' : url.slice(query));
}

/** How the looks of another page compare to one's own. */
export interface LooksMatch {
  /** Of the other page. */
  readonly count: number;
  readonly same: boolean;
  /** Bytes of the sketches that are equal. */
  readonly equal: number;
}

/** About how many of a page's looks the other page has not; 0 where they are the same. */
export function looksOfItsOwn({ count }: LinkLooks, other: LooksMatch): number {
  if (other.same || count === 0) return 0;
  const similar = similarityOfBytes(other.equal, SKETCH_BYTES);
  const shared = (similar / (1 + similar)) * (count + other.count);
  return Math.max(1, Math.round(count - shared));
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixed(hash) | 0;
}
