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
  const prefix = `orbweaver:{${crawl}}:`;
  return { crawl, prefix, key: (namespace, name) => `${prefix}${namespace}:${name}` };
}
