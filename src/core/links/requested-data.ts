/** Tells what data names that is data itself: the next page of an API is no page of the site. */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';

/** Names of folders in which programs live; see also `isUnwiseLink`. */
const DATA_FILE = /\.json$|\/data\//i;

/**
 * Of the addresses that data names, those that are asked for as data become requests.
 * @param requested URLs that the page's scripts asked for
 */
export function withoutRequestedData(links: readonly FoundLink[], requested: Iterable<string>): readonly FoundLink[] {
  const paths = new Set<string>();
  const folders = new Set<string>();
  for (const url of requested) {
    const path = pathOf(url, undefined);
    if (path === null) continue;
    paths.add(path);
    if (DATA_FILE.test(path)) folders.add(path.slice(0, path.lastIndexOf('/') + 1));
  }
  return links.map((link) => {
    if (link.kind !== 'json') return link;
    const path = pathOf(link.href, link.base);
    if (path === null) return link;
    const isData = paths.has(path) || (DATA_FILE.test(path) && folders.has(path.slice(0, path.lastIndexOf('/') + 1)));
    return isData ? { ...link, kind: 'request' } : link;
  });
}

/** Origin and path. */
function pathOf(href: string, base: string | undefined): string | null {
  const url = parsedUrl(href, base);
  return url === null ? null : url.origin + url.pathname;
}
