import type { NamedPath } from '../../model/robots-names.ts';
import { readable, type RobotsRecords } from './parse.ts';

/** Paths of one file that are taken (arbitrary); large sites name some hundred. */
const MOST_PATHS = 1000;
/** As long as a URL may be. */
const LONGEST = 2048;
/** `/admin/`. Two slashes at the beginning would name a host, and so would a backslash to a browser; wildcards name no path. */
const PATH = /^\/(?!\/)[^\s\\*$\p{Cc}]+$/u;

/** Paths that the Allow and Disallow lines of all groups name, each once, in their order; wildcard patterns name none. */
export function namedPaths({ blocks }: RobotsRecords): readonly NamedPath[] {
  const paths = new Map<string, NamedPath>();
  for (const { rules } of blocks) {
    for (const { pattern, allow } of rules) {
      if (paths.size === MOST_PATHS) return [...paths.values()];
      if (paths.has(pattern) || pattern.length > LONGEST) continue;
      const path = readable(pattern);
      if (PATH.test(path)) paths.set(pattern, { path, allow });
    }
  }
  return [...paths.values()];
}
