/** The history of one URL, as a crawl folder holds it. */
import type { StoredEvent, StoredPage } from '../crawl-folder/stored-lines.ts';
import type { LinkKind } from '../model/link-kinds.ts';
import type { LinkRecord, SkippedRecord, SuspectedTrap } from '../model/record.ts';

/**
 * The standing of the URL.
 * - `visited`, `failed`: it has a line in pages.jsonl.
 * - `skipped`: it has a line in skipped.jsonl.
 * - `queued`: it was found and is in scope, and its turn has not come.
 * - `held`: it was found, but not visited, by the facts known so far, for the way to it (its depth, nofollow, only duplicates name it).
 * - `subresource`: pages load it; it is no page and is never visited.
 * - `unknown`: nothing that the crawl has seen names it.
 */
export type UrlStanding = 'visited' | 'failed' | 'skipped' | 'queued' | 'held' | 'subresource' | 'unknown';

/** The links to the URL. */
export interface InLinks {
  /** Lines of links.jsonl that lead to it; subresources of pages among them. */
  readonly total: number;
  /** Pages that these stand on. */
  readonly pages: number;
  readonly byKind: Readonly<Partial<Record<LinkKind, number>>>;
  /** The link that made the URL known, then one of each other page as they were found, then further links of these pages. */
  readonly first: readonly LinkRecord[];
}

/** The scope's verdict, decided anew from the options and seeds of the crawl. */
export interface JudgedAgain {
  readonly accepted: boolean;
  /** The rule that decides, in words. */
  readonly rule: string;
  /** Links from a seed on the shortest known way; null where there is none, and a link from a seed was assumed. */
  readonly depth: number | null;
}

export interface UrlHistory {
  /** As it was asked for. */
  readonly asked: string;
  /** Canonical: its name in the crawl. As it was asked for where it is no http(s) URL. */
  readonly url: string;
  readonly crawl: {
    /** Absolute. */
    readonly folder: string;
    readonly id: string;
    readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
    readonly end: string | null;
  };
  readonly standing: UrlStanding;
  /** Captured pages with URLs like it, the most similar first, where nothing names it; otherwise empty. */
  readonly near: readonly string[];
  readonly isSeed: boolean;
  /** Null where it is no http(s) URL, for which the scope has no rules. */
  readonly scope: JudgedAgain | null;
  /** The line of robots.txt that decided; null where the crawl did not ask, or did not keep it. */
  readonly robots: string | null;
  /** Its line in pages.jsonl. */
  readonly page: StoredPage | null;
  /** Its line in skipped.jsonl. */
  readonly skipped: SkippedRecord | null;
  readonly inLinks: InLinks;
  /** The trap for which it was held back. */
  readonly trap: SuspectedTrap | null;
  /** Its events in log.jsonl: earlier tries, leases that were lost. */
  readonly events: readonly StoredEvent[];
  /** Notes on lines that could not be read, or facts that are not known. */
  readonly notes: readonly string[];
}
