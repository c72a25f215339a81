import type { Page } from '../model/page.ts';
import type { ArchivedPage, PageRecord } from '../model/record.ts';

/** Paths of a page's stored files, relative to the crawl folder with forward slashes. */
export type SnapshotPaths = PageRecord['snapshot'];

/** The stored content of a visit: all of a page; of a file of another type the findings of its processor. */
export type SnapshotContent = Pick<
  Page,
  'url' | 'finalUrl' | 'startedAt' | 'html' | 'text' | 'screenshot' | 'pictures'
>;

/**
 * Stores pages. Files are complete before the visit is committed; writing the same page again replaces them, so that a
 * visit that is repeated after a crash leaves one set.
 */
export interface SnapshotWriter extends AsyncDisposable {
  /** @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  write(content: SnapshotContent, signal: AbortSignal): Promise<SnapshotPaths>;
  /**
   * The place of the answer to a visit that brought no page: a redirect, an error. Null where it is not archived; left out where
   * nothing is. @throws {CrawlError} as `write`
   */
  archived?(visit: Pick<SnapshotContent, 'url' | 'startedAt'>, signal: AbortSignal): Promise<ArchivedPage | null>;
  /** Completes parts that are only whole when the crawl has ended: the index of an archive. @throws {CrawlError} as `write` */
  seal(): Promise<void>;
}
