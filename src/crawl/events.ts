import type { PageRecord, SkippedRecord } from '../model/record.ts';

/** The events of a crawl, in the order of its commits. */
export type CrawlEvent =
  /** A URL was visited and its line is in pages.jsonl; with `page.again` it takes the place of the line before. */
  | { readonly kind: 'page'; readonly page: PageRecord }
  /** A URL came to nothing for good; its line is in pages.jsonl, too. */
  | { readonly kind: 'failed'; readonly page: PageRecord }
  /** A URL was seen and is not visited. */
  | { readonly kind: 'skipped'; readonly skipped: SkippedRecord }
  /** Something that a user should know and that stops nothing: a Crawl-delay was cut, Redis is set up badly. */
  | { readonly kind: 'note'; readonly message: string };
