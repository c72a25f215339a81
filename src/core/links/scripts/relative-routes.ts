/**
 * Routes that are written without a leading slash: `{ path: 'profile' }`. All routers join them with the routes around them. Those in a list
 * within no other route begin at the root (React Router, Angular), or, in a part that is loaded later, within a route of another script.
 */
import type { Frame, Place } from '../texts/text-frame.ts';

/** Characters of a path (arbitrary). */
const PATH_LENGTH = 300;
/** Names of a path, without parameters and patterns. */
const NAMES = /^(?:\/[\w.~-]+)+$/;
/** Angular's route for whatever no other one takes: usually the last one of those at the root. */
const REST = '**';

/** A route, joined with those around it. */
export interface RelativeRoute {
  readonly path: string;
  /** The list that shows whether it begins at the root; null where it is known to. */
  readonly list: Frame | null;
}

/** The route that the text is; null where it is none, or has parameters. Also notes it for routes within it, and what it shows of its list. */
export function relativeRoute(value: string, { key, frame }: Pick<Place, 'key' | 'frame'>): RelativeRoute | null {
  if (key !== 'path' || frame?.kind !== '{') return null;
  const parent = parentOf(frame);
  if (parent === null) noteInList(value, frame);
  if (value[0] === '/' || value === REST) return null;
  const around = parent ?? (frame.above?.kind === '[' ? { route: '/', list: frame.above } : null);
  if (around === null || around.route === '') return null;
  const path = value === '' ? around.route : `${around.route.replace(/\/$/, '')}/${value}`;
  if (path.length > PATH_LENGTH) return null;
  frame.route = path;
  frame.list = around.list;
  return value !== '' && NAMES.test(path) ? { path, list: around.list } : null;
}

/** Does the list, when all of the script was read, show that its routes begin at the root? */
export function beginsAtRoot(list: Frame | null): boolean {
  return list === null || list.route !== '';
}

/** A list with a whole path, or the route for the rest, is one at the root. */
function noteInList(value: string, { above }: Frame): void {
  if (above?.kind === '[' && (value[0] === '/' || value === REST)) above.route = '/';
}

/** The record whose `children` hold this one: a list or, in JSX, calls: `children:[jsx(Route,{path:"profile"})]`, `children:jsx(…)`. */
function parentOf({ above }: Frame): Frame | null {
  const call = above?.kind === '(' ? above.above : above;
  const parent = call?.kind === '[' ? call.above : call;
  return parent?.kind === '{' && parent.key === 'children' ? parent : null;
}
