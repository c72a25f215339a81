import type { Page } from '../model/page.ts';
import type { PageRecord } from '../model/record.ts';

/** Paths, relative to the crawl folder with forward slashes, of what was stored of a page. */
export type SnapshotPaths = PageRecord['snapshot'];

/**
 * Stores pages. Files are complete before the visit is committed; writing the same page again replaces them, so that a
 * visit that is repeated after a crash leaves one set.
 */
export interface SnapshotWriter extends AsyncDisposable {
  /** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  write(page: Page, signal: AbortSignal): Promise<SnapshotPaths>;
}
