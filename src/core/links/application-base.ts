/**
 * Resolves the routes of an application. They are relative to the folder of the application, which need not be the root of its
 * host: `/users` of an application below `/app/` is `/app/users`.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { FoundLink } from '../../model/link.ts';

/** Paths kept of a page's links, and characters of each: a menu has some dozens. */
const LINKED_LIMIT = 200;
const PATH_LENGTH = 300;

/** Facts of the application that a text belongs to. */
export interface Application {
  /** Base URL of the document. */
  readonly base: string;
  /** A `base` element declares it: routers go by it. */
  readonly isBaseSaid: boolean;
  /** The base that a script gives to its router: a path, `/app`; null where none is given. */
  readonly router: string | null;
  /** URL of the script that names the route; null for a document's own. */
  readonly script: string | null;
}

/** Where the routes of a script begin: in the folder that holds page and script, at the origin, or in either. */
type RoutesBegin = 'folder' | 'origin' | 'either';

/**
 * The paths that a route may lead to, the likeliest first. A declared base of the application counts alone; a base that only the
 * script's own folder suggests is followed by the origin.
 * @param route a path from the application's root: `/users`
 * @param begin where other routes of the same script begin
 * @returns paths from the origin; the route itself where it is not a route, or nothing is known
 */
export function routePaths(route: string, application: Application, begin: RoutesBegin): readonly string[] {
  if (route[0] !== '/' || route[1] === '/') return [route];
  const said = saidBase(application);
  if (said !== null) return [below(said, route)];
  const folder = scriptFolder(application);
  const path = begin === 'origin' ? route : below(folder, route);
  return begin === 'folder' || path === route ? [path] : [path, route];
}

/**
 * Where the routes of a script begin, by its other routes and the links of the page. A route in the folder is a whole path. A page that
 * links to `/app/users`, and not to `/users`, shows where the route `/users` leads.
 * @param folder of page and script @param linked paths that the page links to
 */
export function routesBegin(folder: string, routes: readonly string[], linked: readonly string[]): RoutesBegin {
  // the folder alone may be the base that a router has by any name
  if (folder === '/' || routes.some((route) => route.length > folder.length && route.startsWith(folder)))
    return 'origin';
  const known = new Set(linked.map(withoutSlash));
  const isLinked = (path: string): boolean => known.has(withoutSlash(path));
  const named = routes.map(pathOf).filter((route) => route.length > 1 && withoutSlash(route) !== withoutSlash(folder));
  const isBelow = named.some((route) => isLinked(below(folder, route)));
  return isBelow && !named.some(isLinked) ? 'folder' : 'either';
}

/** Paths of the page's own origin that these links lead to: none for a page in no folder, whose routes begin at the origin anyhow. */
export function linkedPaths(
  links: readonly Pick<FoundLink, 'href' | 'base' | 'kind' | 'resolved'>[],
  pageUrl: string,
): readonly string[] {
  const page = parsedUrl(pageUrl);
  if (page === null || folderOf(pageUrl) === '/') return [];
  const found = new Set<string>();
  for (const { href, base, kind, resolved } of links) {
    if (found.size >= LINKED_LIMIT) break;
    if (kind !== 'anchor') continue;
    const url = parsedUrl(resolved ?? href, base);
    if (url?.origin === page.origin && url.pathname.length <= PATH_LENGTH) found.add(url.pathname);
  }
  return [...found];
}

/** The path of a page within its application, `/users`, or the route behind its `#`; null where it lies outside. */
export function openedPath(
  pageUrl: string,
  application: Pick<Application, 'base' | 'script'> & Partial<Pick<Application, 'isBaseSaid'>>,
): string | null {
  const route = /#!?(\/[^?#]*)/.exec(pageUrl)?.[1];
  if (route !== undefined) return route;
  const { pathname = '' } = parsedUrl(pageUrl) ?? {};
  const folder = application.isBaseSaid === true ? folderOf(application.base) : scriptFolder(application);
  return pathname.startsWith(folder) ? pathname.slice(folder.length - 1) : null;
}

/** The declared folder of the application; null where none is declared. It ends with a slash. */
function saidBase({ base, isBaseSaid, router }: Application): string | null {
  if (router !== null) return router.endsWith('/') ? router : `${router}/`;
  return isBaseSaid ? folderOf(base) : null;
}

/** The innermost folder that holds both the page and the script. */
export function scriptFolder({ base, script }: Pick<Application, 'base' | 'script'>): string {
  const [page, program] = [parsedUrl(base), script === null ? null : parsedUrl(script)];
  if (page === null || program === null || page.origin !== program.origin) return '/';
  const [one, other] = [folderOf(base).split('/'), folderOf(program.href).split('/')];
  let common = 0;
  while (common < one.length - 1 && one[common] === other[common]) common += 1;
  return `${one.slice(0, common).join('/')}/`;
}

/**
 * Is it the public path of a build, a folder from which its files are loaded (webpack's `publicPath`, Vite's `base`)? It holds the script, and
 * not the page: such a folder is rarely a page.
 */
export function isPublicPath(path: string, { base, script }: Pick<Application, 'base' | 'script'>): boolean {
  if (script === null || path.length < 2 || !path.startsWith('/') || !path.endsWith('/')) return false;
  const [page, program] = [parsedUrl(base), parsedUrl(script)];
  return page?.origin === program?.origin && !page?.pathname.startsWith(path) && !!program?.pathname.startsWith(path);
}

function folderOf(url: string): string {
  const { pathname = '/' } = parsedUrl(url) ?? {};
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
}

function pathOf(route: string): string {
  return route.replace(/[?#].*$/s, '');
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A route that already begins with its application's folder is whole. */
function below(folder: string, route: string): string {
  return route.startsWith(folder) || `${route}/` === folder ? route : folder + route.slice(1);
}
