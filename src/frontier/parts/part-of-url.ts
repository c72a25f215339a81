import { hash } from 'node:crypto';
import { LruMap } from '../../base/lru-map.ts';
import { hostDomain, hostAndPath } from '../url-groups.ts';

/** Most hosts whose part is remembered (arbitrary). */
const REMEMBERED = 20_000;
/** Hexadecimal digits of a hash: their bits fit into a double easily. */
const DIGITS = 12;

/**
 * The part of a crawl that a URL belongs to, for good. The registrable domain decides: a domain's places and dividends are kept in one part. A URL
 * without a host (`mailto:`) is assigned by its text.
 * @param parts number of parts
 */
export function partOfUrl(parts: number): (url: string) => number {
  const known = new LruMap<string, number>(REMEMBERED);
  const numberOf = (text: string): number => Number.parseInt(hash('sha1', text, 'hex').slice(0, DIGITS), 16) % parts;
  return (url) => {
    const { host } = hostAndPath(url);
    return host === '' ? numberOf(url) : known.getOrMake(host, () => numberOf(hostDomain(host)));
  };
}
