/**
 * Routes with a leading slash within the `children` of another route. Some routers (Solid) join `/profile` within `/account` to
 * `/account/profile`; to others (Vue) the slash means the application's root. The same records are written for both, so the rest of the script
 * decides.
 */
import type { Frame, Place } from '../texts/text-frame.ts';

/** Characters of a joined path, and routes kept of a script (both arbitrary). */
const PATH_LENGTH = 300;
const LIMIT = 500;

/** The path of a route that is joined with those around it; '' where the text is no such route. Also notes it for routes within it. */
export function joinedRoute(value: string, { key, frame }: Pick<Place, 'key' | 'frame'>): string {
  if (key !== 'path' || frame?.kind !== '{' || value[0] !== '/') return '';
  const parent = parentRoute(frame);
  const joined = parent === '' || value.startsWith(`${parent}/`) ? value : parent + (value === '/' ? '' : value);
  if (joined.length <= PATH_LENGTH) frame.route = joined;
  return parent === '' ? '' : joined;
}

/** Path of the record whose list of `children` holds this one, without a slash at its end; '' for the root, too. */
function parentRoute({ above }: Frame): string {
  const parent = above?.kind === '[' ? above.above : null;
  return parent?.kind === '{' && parent.key === 'children' ? parent.route.replace(/\/$/, '') : '';
}

/** The routes of a script whose place is decided when all of it was read. */
export class NestedRoutes<Route> {
  readonly #routes: { readonly joined: string; readonly route: Route }[] = [];
  #joins = false;
  #isWhole = false;

  /** A route that shows how its router reads it, whether it is an address or not. */
  note(value: string, joined: string): void {
    if (value === joined) this.#isWhole = true;
    // no router has a second root, or a parameter there, within another route
    else if (value === '/' || value.startsWith('/:')) this.#joins = true;
  }

  /** @returns whether it is kept */
  keep(joined: string, route: Route): boolean {
    if (this.#routes.length >= LIMIT) return false;
    this.#routes.push({ joined, route });
    return true;
  }

  /** Those that were kept, each with its joined path; null where the router takes it from the root, or nothing shows that it does not. */
  *decided(isNamed: (path: string) => boolean): Generator<{ readonly route: Route; readonly joined: string | null }> {
    const joins = !this.#isWhole && (this.#joins || this.#routes.some(({ joined }) => isNamed(joined)));
    for (const { route, joined } of this.#routes) yield { route, joined: joins ? joined : null };
  }
}
