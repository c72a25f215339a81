/**
 * Resolves the routes of an application. They are relative to the folder of the application, which need not be the root of its
 * host: `/users` of an application below `/app/` is `/app/users`.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

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

/**
 * The paths that a route may lead to, the likeliest first. A declared base of the application counts alone; a base that only the
 * script's own folder suggests is followed by the origin.
 * @param route a path from the application's root: `/users`
 * @param isFromOrigin do other routes of the same script begin with the folder that it lies in? Then they are whole paths
 * @returns paths from the origin; the route itself where it is not a route, or nothing is known
 */
export function routePaths(route: string, application: Application, isFromOrigin: boolean): readonly string[] {
  if (route[0] !== '/' || route[1] === '/') return [route];
  const said = saidBase(application);
  if (said !== null) return [below(said, route)];
  const folder = scriptFolder(application);
  const path = isFromOrigin ? route : below(folder, route);
  return path === route ? [route] : [path, route];
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

function folderOf(url: string): string {
  const { pathname = '/' } = parsedUrl(url) ?? {};
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
}

/** A route that already begins with its application's folder is whole. */
function below(folder: string, route: string): string {
  return route.startsWith(folder) || `${route}/` === folder ? route : folder + route.slice(1);
}
