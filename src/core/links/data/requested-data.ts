/** Separates pages from data among the addresses that data names: the next page of an API is no page of the site. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import type { FoundLink } from '../../../model/link.ts';

/** Files and folders of data for programs; see also `isUnwiseLink`. */
const DATA_FILE = /\.json$|\/data\//i;

/**
 * Turns links from data into requests where scripts request their addresses as data.
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

/** Data of the whole page for its scripts, such as the file that Docsify shows. */
const OF_THE_PAGE = /^(?:body|html)\/@data-/;

/**
 * The links without texts of scripts, and data of the whole page, that the page has requested: the answer has shown whether that is
 * a page or a piece of one.
 * @param requested URLs that the page's scripts asked for
 */
export function withoutRequestedTexts(links: readonly FoundLink[], requested: Iterable<string>): readonly FoundLink[] {
  const asked = new Set<string>(requested);
  if (asked.size === 0) return links;
  return links.filter(({ kind, context, confidence, href, base }) => {
    const isText = (kind === 'script' && context === 'literal') || (kind === 'attribute' && OF_THE_PAGE.test(context));
    if (!isText || confidence !== 'low') return true;
    const url = parsedUrl(href, base)?.href;
    return url === undefined || !asked.has(url);
  });
}

/** Origin and path. */
function pathOf(href: string, base: string | undefined): string | null {
  const url = parsedUrl(href, base);
  return url === null ? null : url.origin + url.pathname;
}
