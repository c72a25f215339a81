/** A path that an Allow or Disallow line of robots.txt names, of whatever agent. */
export interface NamedPath {
  /** As written, decoded: it begins with one slash and holds no wildcard. */
  readonly path: string;
  readonly allow: boolean;
}

/** What a host's robots.txt names, beside its rules. */
export interface RobotsNames {
  /** As written; a relative one is relative to the robots.txt. */
  readonly sitemaps: readonly string[];
  readonly paths: readonly NamedPath[];
  /** The host was asked for its robots.txt, and it names no sitemap: there may be one at the usual place. */
  readonly lacksSitemap: boolean;
}

/** Of a host whose robots.txt was not asked for, or not had. */
export const NO_NAMES: RobotsNames = { sitemaps: [], paths: [], lacksSitemap: false };
