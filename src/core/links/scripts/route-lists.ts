/**
 * Where a list of routes begins that does not say so itself. Routers load a part of the application (`loadChildren`) when a page within it is
 * opened: so the page's path ends with one of the part's routes, or is the path of the part.
 */

import type { PartBegins } from '../../../model/route-part.ts';

/** The page in which a script was loaded. */
export interface OpenedPage {
  /** Its path from the root of the application: `/account/orders`. */
  readonly path: string;
  /** Did another script load the script? */
  readonly isLater: boolean;
  /** Where other scripts say that lists of the script begin. */
  readonly begins?: PartBegins;
}

/**
 * The path before the routes of the list, without a slash at its end: '' where they begin at the root.
 * @param paths of the routes in it; '/' is a route without a name @param isSole may it be that the page shows the route without a name?
 * @returns null where the page does not show it
 */
export function beginOfList(paths: readonly string[], page: OpenedPage, isSole: boolean): string | null {
  const opened = namesOf(page.path);
  let [best, length] = [0, 0];
  for (const path of paths) {
    const names = namesOf(path);
    const same = sameNames(names, opened);
    if (same > best) [best, length] = [same, names.length];
  }
  if (best > 0) return joined(opened.slice(0, -length));
  // one that comes later belongs to a route, one of the document to the root
  if (!isSole || !paths.includes('/') || page.isLater !== opened.length > 0) return null;
  // the page of a thing, which the list may know by a parameter
  return /\d/.test(opened.at(-1) ?? '') ? null : joined(opened);
}

/** Number of names of the route with which the path ends, without parameters; 0 where the path is no such one. */
function sameNames(names: readonly string[], opened: readonly string[]): number {
  const before = opened.length - names.length;
  if (before < 0) return 0;
  let same = 0;
  for (const [index, name] of names.entries()) {
    if (name === opened[before + index]) same += 1;
    else if (!name.startsWith(':')) return 0;
  }
  return same;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function joined(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join('');
}
