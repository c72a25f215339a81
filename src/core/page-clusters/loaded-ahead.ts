/**
 * Detects loads of scripts ahead of a possible visit of a page that is linked anyway: hints that they put into the document, and requests of
 * routers for linked pages and their data (`/guide/x/__data.json`, `/_next/data/<build>/guide/x.json`, `/page-data/guide/x/page-data.json`).
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';

/** Types of `link` elements that load or connect ahead of use (HTML Standard, section 4.6.8). */
const HINTS: ReadonlySet<string> = new Set(['prefetch', 'preload', 'modulepreload', 'preconnect', 'dns-prefetch']);
const ASKS: ReadonlySet<string> = new Set(['fetch', 'fetch HEAD', 'xhr', 'xhr HEAD']);

/** Is it only a hint? */
export function isHint({ kind, rel }: FoundLink): boolean {
  return kind === 'link-element' && rel.length > 0 && rel.every((each) => HINTS.has(each));
}

/** Makes a test for requests for a page that one of these links leads to, or for its data. */
export function prefetchTest(links: readonly FoundLink[]): (request: FoundLink) => boolean {
  let linked: ReadonlySet<string> | null = null;
  return ({ kind, context, href, base, resolved }) => {
    if (kind !== 'request' || !ASKS.has(context)) return false;
    const url = parsedUrl(resolved ?? href, base);
    if (url === null) return false;
    linked ??= new Set(links.filter((each) => each.kind === 'anchor').flatMap(placeOf));
    const [path, known] = [url.pathname, linked];
    const isLinked = (page: string): boolean => known.has(url.origin + withoutSlash(page));
    // everything lies below the first page of a site: only its own data counts there
    if (/^\/(?:(?:_|index\.)[^/]*)?$/.test(path)) return isLinked('/');
    const pages = [path, path.replace(/\.\w{1,10}$/, ''), path.replace(/\/[^/]*$/, '')];
    return pages.some((page) => page !== '' && (isLinked(page) || isLinked(withoutData(page))));
  };
}

function placeOf({ href, base, resolved }: FoundLink): readonly string[] {
  const url = parsedUrl(resolved ?? href, base);
  return url === null
    ? []
    : [url.origin + withoutSlash(url.pathname), url.origin + withoutSlash(url.pathname.replace(/\.\w{1,10}$/, ''))];
}

/** The path without the folders in which frameworks keep the data of pages, below the name of a build where they have one. */
function withoutData(path: string): string {
  return path.replace(/^\/(?:_next\/data\/[^/]+|_[\w-]+|page-data)(?=\/)/, '');
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
