/** Signs of a trap in the pattern of a URL, its shape by `program` (model/url/url-shape.ts), and in its query. */
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { pathOf } from '../../model/url/host-key.ts';
import { queryParts } from '../../model/url/query-parts.ts';

/** The first folder of a pattern, `/` where it has none. */
export function folderOf(pattern: string): string {
  return /^\/(?:[^/?]*\/)?/.exec(pattern)?.[0] ?? '/';
}

/** Least number of names in a query that combines filters. */
const CHOICES = 3;

/** Is the URL a choice among several filters, which have too many combinations to visit? */
export function isChoice(url: CanonicalUrl): boolean {
  const query = /\?([^#]*)/.exec(pathOf(url))?.[1] ?? '';
  return new Set(queryParts(query).map((part) => part.split('=', 1)[0])).size >= CHOICES;
}
