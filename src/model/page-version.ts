/**
 * Input of comparisons for a page and a site, the same from a crawl folder and from a baseline (docs/regression.md). Addresses are site-relative
 * (`/blog/`, `//other.example/`), so that a port, a preview host and the site itself have the same ones. Texts come from pages: they are hostile,
 * and are cut when they are read.
 */
import type { RecordOutcome } from './record.ts';

/** The facts of one address. */
export interface PageVersion {
  readonly address: string;
  /** URL as visited. */
  readonly url: string;
  readonly outcome: RecordOutcome;
  readonly status: number | null;
  /** Address that it redirects to; null where it does not. */
  readonly redirect: string | null;
  readonly depth: number;
  readonly rendered: boolean;
  /** Did the page show that it was loaded signed in? Null where that cannot be told. */
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
  /** Digest of its text in normal form. */
  readonly digest: string | null;
  /** Words of its text; null where that is not known, as in a baseline. */
  readonly words: number | null;
}

/** Content of a page, read only when it is compared. Null where the crawl stored none. */
export interface PageContent {
  /** Lines of its text. */
  readonly text: readonly string[] | null;
  /** Its structured data as lines `Product.offers.price: 12`, sorted. */
  readonly structured: readonly string[] | null;
  /** Its versions in other languages as lines `de: /de/`, sorted. */
  readonly alternates: readonly string[] | null;
  /** Messages of the console, exceptions and failed requests, each once. */
  readonly errors: readonly string[] | null;
  /** Bytes of the page and its files, unpacked. */
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
/** One compared facet. */
export type FacetName = (typeof FACETS)[number];

/** A part of a page that changes by itself from crawl to crawl: a change there is no difference. */
export interface NoisePlace {
  readonly facet: FacetName;
  /** Address, or a template with `*`. */
  readonly address: string;
  /** For text: the line, with `*` for its changing parts; for links, files and findings: the item that comes and goes. Null: the whole facet. */
  readonly passage: string | null;
}
