/**
 * Limits the sitemaps that a crawl reads. A host may nest indexes of 50,000 files of 50,000 pages, and generate them on request: files,
 * pages and bytes are limited per host and per crawl, however they are found.
 */
import { mebibytes, type Bytes } from '../base/units.ts';

/** Limits of sitemaps. */
interface SitemapBounds {
  readonly files: number;
  /** Entries in the sitemaps: each new one takes some 70 bytes of Redis. */
  readonly pages: number;
  /** Decoded bytes. */
  readonly bytes: Bytes;
}

/** Limits per host: 500 files (design/scheduling, "Sitemaps"), and a fifth of their 25 million pages, 350 MB of Redis. */
export const HOST_BOUNDS: SitemapBounds = { files: 500, pages: 5_000_000, bytes: mebibytes(4096) };
/** Limits for all hosts together. */
const CRAWL_BOUNDS: SitemapBounds = { files: 20_000, pages: 10_000_000, bytes: mebibytes(16_384) };
/** Most entries beyond the limits that get a line each in skipped.jsonl; the others are only counted. */
export const LISTED_LIMIT = 1000;

/** Amounts taken from the limits of a host, or refused. */
export interface SpentElsewhere {
  readonly host: string;
  readonly files: number;
  readonly pages: number;
  readonly bytes: number;
  readonly refused: Readonly<Record<'files' | 'pages', number>>;
}

interface Spent {
  files: number;
  pages: number;
  bytes: number;
}

export interface SitemapBudget {
  /** Takes room for one more. @returns the limit that it would break, in words; null where there was room */
  take(what: 'files' | 'pages', host: string): string | null;
  /** Returns the same without taking room. */
  full(what: 'files' | 'pages', host: string): string | null;
  /** Counts a file of this size as read. */
  read(host: string, size: number): void;
  /** Adds amounts that other processes of the crawl took and refused. */
  add(spent: SpentElsewhere): void;
  countOf(host: string): number;
  /** Counts an entry that is not followed. @returns true where it gets a line of its own */
  refuse(what: 'files' | 'pages'): boolean;
  readonly refused: Readonly<Record<'files' | 'pages', number>>;
}

export function createSitemapBudget(
  host: SitemapBounds = HOST_BOUNDS,
  crawl: SitemapBounds = CRAWL_BOUNDS,
): SitemapBudget {
  const hosts = new Map<string, Spent>();
  const all: Spent = { files: 0, pages: 0, bytes: 0 };
  const refused = { files: 0, pages: 0 };

  function spentBy(name: string): Spent {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const spent = { files: 0, pages: 0, bytes: 0 };
    hosts.set(name, spent);
    return spent;
  }

  function full(what: 'files' | 'pages', name: string): string | null {
    const own = hosts.get(name);
    const noun = what === 'files' ? 'sitemaps' : 'pages named by sitemaps';
    if ((own?.[what] ?? 0) >= host[what]) return `more than ${host[what]} ${noun} of one host`;
    if (all[what] >= crawl[what]) return `more than ${crawl[what]} ${noun}`;
    if ((own?.bytes ?? 0) >= host.bytes) return `more than ${host.bytes} bytes of sitemaps of one host`;
    return all.bytes >= crawl.bytes ? `more than ${crawl.bytes} bytes of sitemaps` : null;
  }

  return {
    full,
    take: (what, name) => {
      const words = full(what, name);
      if (words !== null) return words;
      spentBy(name)[what] += 1;
      all[what] += 1;
      return null;
    },
    read: (name, size) => {
      spentBy(name).bytes += size;
      all.bytes += size;
    },
    add: ({ host: name, refused: more, ...spent }) => {
      const own = spentBy(name);
      for (const what of ['files', 'pages', 'bytes'] as const) {
        own[what] += spent[what];
        all[what] += spent[what];
      }
      refused.files += more.files;
      refused.pages += more.pages;
    },
    countOf: (name) => hosts.get(name)?.files ?? 0,
    refused,
    refuse: (what) => {
      refused[what] += 1;
      return refused.files + refused.pages <= LISTED_LIMIT;
    },
  };
}
