/** Signs of a trap in the pattern of a URL, its shape by `program` (model/url/url-shape.ts), and in its query. */
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { pathOf } from '../../model/url/host-key.ts';

/** The first folder of a pattern, `/` where it has none. */
export function folderOf(pattern: string): string {
  return /^\/(?:[^/?]*\/)?/.exec(pattern)?.[0] ?? '/';
}

/** Filters that are combined have this many names in a query. */
const CHOICES = 3;

/** Whether a URL is a choice among several filters, of which there are more than anybody could look at. */
export function isChoice(url: CanonicalUrl): boolean {
  const query = /\?([^#]*)/.exec(pathOf(url))?.[1] ?? '';
  return new Set(query.split('&').map((part) => part.split('=', 1)[0])).size >= CHOICES;
}
