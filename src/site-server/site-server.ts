/**
 * Serves a folder as a web site on loopback: what `orbweaver crawl ./dist`, `orbweaver serve` and the fixtures use.
 *
 * A folder with a `site.json` is a fixture site: its pages lie in `www/` (or in the folders that `hosts` names). A folder
 * without one is a built site: its files are served as they are, with history fallback to index.html.
 */
export interface SiteServer extends AsyncDisposable {
  /** The URL to start at, `http://127.0.0.1:port/` or `http://name.localhost:port/` where site.json names hosts. */
  readonly url: string;
  readonly port: number;
  /** Every host of the site, the first one first: name in site.json → origin. */
  readonly origins: ReadonlyMap<string, string>;
  /** Requests answered so far, oldest first: what politeness tests read. At most 100,000 are kept. */
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
}
