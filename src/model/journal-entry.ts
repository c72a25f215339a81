import type { PageRecord, SkippedRecord } from './record.ts';

/**
 * The lines that one commit of the frontier adds to the crawl folder. The frontier keeps entries in order until the folder says that
 * they are on disk; so a line is written once, whichever process is killed in between.
 */
export interface JournalEntry {
  readonly page: PageRecord | null;
  /** Lines of links.jsonl, each the JSON of a LinkRecord: most pages have many, and nobody but the file reads them. */
  readonly links: readonly string[];
  /** Line of details.jsonl, JSON; left out where there is none. */
  readonly details?: string;
  readonly skipped: readonly SkippedRecord[];
}
