import type { PageRecord, SkippedRecord } from './record.ts';

/**
 * The lines that one commit of the frontier adds to the crawl folder. The frontier keeps entries in order until the folder confirms that
 * they are on disk. So each line is written once, whichever process is killed in between.
 */
export interface JournalEntry {
  readonly page: PageRecord | null;
  /** Lines of links.jsonl, each a LinkRecord as JSON: most pages have many, and only the file uses them. */
  readonly links: readonly string[];
  /** Line of details.jsonl, JSON; left out where there is none. */
  readonly details?: string;
  readonly skipped: readonly SkippedRecord[];
}
