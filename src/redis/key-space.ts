import type { CrawlId } from '../model/crawl-id.ts';

/** Key names of one crawl. */
export interface KeySpace {
  readonly crawl: CrawlId;
  /**
   * `orbweaver:{<crawl>}:<namespace>:<name>`. The braces are a hash tag: all keys of a crawl are in one slot of a cluster, so
   * that a script may touch any of them.
   */
  key(namespace: string, name: string): string;
  /** Prefix of all key names of the crawl. */
  readonly prefix: string;
}

/** The keys of a crawl; each module of it has its own namespace. */
export function keySpace(crawl: CrawlId): KeySpace {
  return spaceOf(crawl, `orbweaver:{${crawl}}:`);
}

/** The keys of a part of a crawl, with a hash tag of their own. @param tag a number unique among the crawl's parts */
export function partSpace({ crawl }: KeySpace, tag: number): KeySpace {
  return spaceOf(crawl, `orbweaver:{${crawl}.${tag}}:`);
}

function spaceOf(crawl: CrawlId, prefix: string): KeySpace {
  return { crawl, prefix, key: (namespace, name) => `${prefix}${namespace}:${name}` };
}
