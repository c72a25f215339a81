/**
 * What comparisons look at of a page and of a site: the same of a crawl folder and of a baseline (docs/regression.md). Addresses are site-relative
 * (`/blog/`, `//other.example/`), so that a port, a preview host and the site itself have the same ones. Texts come from pages: hostile, and cut
 * where they are read.
 */
import type { RecordOutcome } from './record.ts';

/** The facts of one address. */
export interface PageVersion {
  readonly address: string;
  /** As it was visited. */
  readonly url: string;
  readonly outcome: RecordOutcome;
  readonly status: number | null;
  /** Address that it redirects to; null where it does not. */
  readonly redirect: string | null;
  readonly depth: number;
  readonly rendered: boolean;
  /** Did it show that it was loaded signed in? Null where nobody can tell. */
  readonly signedIn: boolean | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Address. */
  readonly canonical: string | null;
  readonly robots: readonly string[];
  /** Bytes of the document, unpacked. */
  readonly bytes: number | null;
  /** Of its text in normal form. */
  readonly digest: string | null;
}

/** What a page holds, read when it is its turn. Null where the crawl kept nothing of it. */
export interface PageContent {
  /** Lines of its text. */
  readonly text: readonly string[] | null;
  /** Its structured data as lines `Product.offers.price: 12`, sorted. */
  readonly structured: readonly string[] | null;
  /** Messages of the console, exceptions and failed requests, each once. */
  readonly errors: readonly string[] | null;
  /** Bytes that it and its files have, unpacked. */
  readonly weight: number | null;
}

export interface PageSide {
  readonly page: PageVersion;
  readonly content: PageContent;
}

export const FACETS = [
  'pages',
  'status',
  'redirects',
  'title',
  'meta',
  'canonical',
  'robots',
  'links',
  'files',
  'text',
  'structured-data',
  'errors',
  'accessibility',
  'weight',
  'findings',
  'screenshot',
] as const;
/** One kind of thing that is compared. */
export type FacetName = (typeof FACETS)[number];

/** A part of a page that changes by itself from crawl to crawl: it is no difference there. */
export interface NoisePlace {
  readonly facet: FacetName;
  /** Address, or a template with `*`. */
  readonly address: string;
  /** Of a text: the line as it stands, with `*` for what changes; of links, files and findings what comes and goes. Null for all of the facet. */
  readonly passage: string | null;
}
