import type { LinkRecord, PageRecord, SkippedRecord } from './record.ts';

/**
 * What one commit of the frontier adds to the crawl folder. The frontier keeps entries in order until the folder says
 * that they are on disk; so a line is written once, whatever is killed in between.
 */
export interface JournalEntry {
  readonly page: PageRecord | null;
  readonly links: readonly LinkRecord[];
  readonly skipped: readonly SkippedRecord[];
}
