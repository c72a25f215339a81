declare const crawl: unique symbol;
/** Names a crawl in Redis and on disk: 8 to 40 letters, digits and hyphens. */
export type CrawlId = string & { readonly [crawl]: true };

/** @throws {TypeError} where the text has other characters or another length. */
export function crawlId(text: string): CrawlId {
  if (!isCrawlId(text)) throw new TypeError(`not a crawl id: ${text.slice(0, 64)}`);
  return text as CrawlId;
}

/** True where a text is the id of a crawl. */
export function isCrawlId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{7,39}$/.test(text);
}
