import type { Page } from '../model/page.ts';
import type { ArchivedPage, PageRecord } from '../model/record.ts';

/** Paths, relative to the crawl folder with forward slashes, of what was stored of a page. */
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
   * Where the answer to a visit lies that brought no page: a redirect, an error. Null where it is not archived; left out where
   * nothing is. @throws {CrawlError} as `write`
   */
  archived?(visit: Pick<SnapshotContent, 'url' | 'startedAt'>, signal: AbortSignal): Promise<ArchivedPage | null>;
  /** The crawl has ended: what is only whole then (the index of an archive) is made whole. @throws {CrawlError} as `write` */
  seal(): Promise<void>;
}
