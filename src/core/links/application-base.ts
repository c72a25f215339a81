/**
 * Where the routes of an application lead. A router names its pages from where the application lives, which need not be the root of its
 * host: `/users` of an application below `/app/` is `/app/users`.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

/** What is known of the application that a text belongs to. */
export interface Application {
  /** Base URL of the document. */
  readonly base: string;
  /** A `base` element says so: routers go by it. */
  readonly isBaseSaid: boolean;
  /** The base that a script gives to its router: a path, `/app`; null where nobody says. */
  readonly router: string | null;
  /** URL of the script that names the route; null for a document's own. */
  readonly script: string | null;
}

/**
 * Where a route leads: the likeliest first. An application's base that is said counts alone; where only the script's own folder speaks
 * for one, the origin comes after it.
 * @param route a path from the application's root: `/users`
 * @param isFromOrigin do other routes of the same script begin with the folder that it lies in? Then they are whole paths
 * @returns paths from the origin; the route itself where it is not a route, or nothing is known
 */
export function routePaths(route: string, application: Application, isFromOrigin: boolean): readonly string[] {
  if (route[0] !== '/' || route[1] === '/') return [route];
  const said = saidBase(application);
  if (said !== null) return [below(said, route)];
  const folder = scriptFolder(application);
  return folder === '/' || isFromOrigin ? [route] : [below(folder, route), route];
}

/** The folder that the application is said to live in; null where nobody says. It ends with a slash. */
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

/** A route that says its application's folder already is whole. */
function below(folder: string, route: string): string {
  return route.startsWith(folder) || `${route}/` === folder ? route : folder + route.slice(1);
}
