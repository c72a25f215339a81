/** A path in an Allow or Disallow line of robots.txt, for any agent. */
export interface NamedPath {
  /** The path as written, decoded: it begins with one slash and has no wildcard. */
  readonly path: string;
  readonly allow: boolean;
}

/** Names in a host's robots.txt, beside its rules. */
export interface RobotsNames {
  /** URLs as written; a relative one is relative to the robots.txt. */
  readonly sitemaps: readonly string[];
  readonly paths: readonly NamedPath[];
  /** The host's robots.txt was requested and names no sitemap: one may exist at the usual place. */
  readonly lacksSitemap: boolean;
}

/** Names of a host whose robots.txt was not requested or not received. */
export const NO_NAMES: RobotsNames = { sitemaps: [], paths: [], lacksSitemap: false };
