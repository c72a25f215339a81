import { hash } from 'node:crypto';
import { LruMap } from '../../base/lru-map.ts';
import { hostDomain, hostAndPath } from '../url-groups.ts';

/** Hosts of which it is remembered where they belong (arbitrary). */
const REMEMBERED = 20_000;
/** Hexadecimal digits of a hash: as many bits as a double holds with ease. */
const DIGITS = 12;

/**
 * The part of a crawl that a URL belongs to, for good. It goes by the registrable domain: places of a domain and its dividends are kept in one part. What has
 * no host (`mailto:`) goes by its text.
 * @param parts how many there are
 */
export function partOfUrl(parts: number): (url: string) => number {
  const known = new LruMap<string, number>(REMEMBERED);
  const numberOf = (text: string): number => Number.parseInt(hash('sha1', text, 'hex').slice(0, DIGITS), 16) % parts;
  return (url) => {
    const { host } = hostAndPath(url);
    return host === '' ? numberOf(url) : known.getOrMake(host, () => numberOf(hostDomain(host)));
  };
}
