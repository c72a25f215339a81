import type { CrawlId } from '../model/crawl-id.ts';

/** Names the keys of one crawl. */
export interface KeySpace {
  readonly crawl: CrawlId;
  /**
   * `orbweaver:{<crawl>}:<namespace>:<name>`. The braces are a hash tag: all keys of a crawl lie in one slot of a cluster, so
   * that a script may touch any of them.
   */
  key(namespace: string, name: string): string;
  /** The beginning of the names of all keys of the crawl. */
  readonly prefix: string;
}

/** The keys of a crawl; modules share a crawl and never a namespace. */
export function keySpace(crawl: CrawlId): KeySpace {
  return spaceOf(crawl, `orbweaver:{${crawl}}:`);
}

/** The keys of a part of a crawl: they have a hash tag of their own. @param tag a number that no other part of the crawl has */
export function partSpace({ crawl }: KeySpace, tag: number): KeySpace {
  return spaceOf(crawl, `orbweaver:{${crawl}.${tag}}:`);
}

function spaceOf(crawl: CrawlId, prefix: string): KeySpace {
  return { crawl, prefix, key: (namespace, name) => `${prefix}${namespace}:${name}` };
}
