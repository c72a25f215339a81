/**
 * Serves a folder as a web site on loopback, for `orbweaver crawl ./dist`, `orbweaver serve` and the tests.
 *
 * A folder with a `site.json` is a fixture site: its pages lie in `www/` (or in the folders that `hosts` names). A folder
 * without one is a built site: its files are served as they are, with history fallback to index.html, unless their links
 * name the place where the site is published.
 */
import type { Content } from './content.ts';
import type { LinkAbove } from './links-above.ts';
import type { Route, RouteEntry } from './route.ts';

export interface SiteServer extends AsyncDisposable {
  /** The URL to start at, `http://127.0.0.1:port/` or `http://name.localhost:port/` where site.json names hosts. */
  readonly url: string;
  readonly port: number;
  /** The path below which a built site is served because its pages name it, `/guide`; empty at the root. */
  readonly base: string;
  /** The place that the links of a built site name, `https://example.org`: its addresses are served from the folder. Null where there is none. */
  readonly published: string | null;
  /** A link of a built site's first page to a file above the folder, which is not served. Null where there is none. */
  readonly above: LinkAbove | null;
  /** Every host of the site, the first one first: name in site.json → origin. */
  readonly origins: ReadonlyMap<string, string>;
  /** Requests answered so far, oldest first, as politeness tests read them. At most 100,000 are kept. */
  requests(): readonly ServedRequest[];
}

export interface ServedRequest {
  readonly host: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Milliseconds of the monotonic clock (performance.now) at arrival. */
  readonly at: number;
  readonly userAgent: string;
}

export interface SiteServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** Address to listen on; loopback. */
  readonly address: string;
  readonly extension?: SiteExtension | undefined;
}

/**
 * Additions of a caller to the fixture sites that it serves. The program adds nothing; the tests bring servers that misbehave and pages that are
 * made up by code (test/support/site-server). A folder without site.json is served without it.
 */
export interface SiteExtension {
  /**
   * Makes a route of an entry of site.json, in place of `plainRoute`.
   * @throws {CrawlError} what `entry.refuse` makes
   */
  readonly readRoute: (entry: RouteEntry) => Route;
  /** Changes an answer before it is sent, whether a route's or a file's. */
  readonly rewrite: (content: Content, host: NamedHost) => Promise<Content>;
}

/** The host that answers, among all of its site. */
export interface NamedHost {
  /** The requested name, without `.localhost`. */
  readonly name: string;
  /** The origins of this host and of all others, by their names. */
  readonly origins: ReadonlyMap<string, string>;
}
