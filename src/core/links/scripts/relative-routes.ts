/**
 * Routes that are written without a leading slash: `{ path: 'profile' }`. All routers join them with the routes around them. Those in a list
 * within no other route begin at the root (React Router, Angular), or, in a part that is loaded later, within a route of another script
 * (`loadChildren` of Angular).
 */
import type { RoutePart } from '../../../model/route-part.ts';
import type { Frame, Place } from '../texts/text-frame.ts';
import { partIn } from './part-names.ts';
import { beginOfList, type OpenedPage } from './route-lists.ts';

/** Characters of a path (arbitrary). */
const PATH_LENGTH = 300;
/** Names of a path, without parameters and patterns. */
const NAMES = /^(?:\/[\w.~-]+)+$/;
/** Angular's route for whatever no other one takes: usually the last one of those at the root. */
const REST = '**';
/** Keys of routes that say what is shown for them (Angular, React Router, Vue). */
const PAGE_KEYS: ReadonlySet<string> = new Set(
  'component Component loadComponent loadChildren redirectTo element lazy'.split(' '),
);
/** Most routes kept of a script (arbitrary). */
const LIMIT = 500;

/** A route, joined with those around it. */
interface RelativeRoute {
  readonly path: string;
  /** The list that shows whether it begins at the root; null where it is known to. */
  readonly list: Frame | null;
  readonly place: Place;
  /** Is it an address, without parameters, and not that of the route around it? */
  readonly isAddress: boolean;
}

/** The routes of a script whose place is decided when all of it was read. */
export class RelativeRoutes {
  readonly #routes: RelativeRoute[] = [];
  /** The routes that load a part, with the part's name. */
  readonly #loading = new Map<Frame, string>();

  /** Keeps the text where it is a route. */
  note(value: string, place: Place): void {
    const route = relativeRoute(value, place);
    if (route === null || (route.list === null && !route.isAddress)) return;
    if (this.#routes.length < LIMIT) this.#routes.push(route);
  }

  /** Keeps a route that loads a part. @param source that follows its key for that */
  noteLoading(record: Frame, source: string): void {
    const target = partIn(source);
    if (target !== null && this.#loading.size < LIMIT) this.#loading.set(record, target);
  }

  /** The parts that the routes load. */
  *parts(): Generator<RoutePart> {
    const isSole = this.#lists().size === 1;
    for (const [{ route: path, list }, target] of this.#loading) {
      if (path === '') continue;
      const isAtRoot = list === null || list.route !== '';
      const module = list === null ? null : list.module;
      yield { path, target, module, isSole, isAtRoot };
    }
  }

  /** Those that are addresses and whose begin is known, each with its whole path. @param page in which the script was loaded */
  *decided(page: OpenedPage | null): Generator<{ readonly path: string; readonly place: Place }> {
    const begins = page === null ? new Map<Frame, string>() : this.#begins(page);
    for (const { path, list, place, isAddress } of this.#routes) {
      const begin =
        (list === null ? undefined : begins.get(list)) ?? (list === null || list.route !== '' ? '' : undefined);
      if (isAddress && begin !== undefined) yield { path: begin + path, place };
    }
  }

  /** Where the lists begin of which only other scripts or the page show it. */
  #begins(page: OpenedPage): ReadonlyMap<Frame, string> {
    const lists = this.#lists();
    const said = new Map(page.begins);
    const begins = new Map<Frame, string>();
    const hasRoot = this.#routes.some(({ list }) => list === null || list.route !== '');
    // a script that was loaded with the document may hold lists for any route
    const isSole = page.isLater || (lists.size === 1 && !hasRoot);
    for (const [list, paths] of lists) {
      const begin =
        this.#said(list, lists.size === 1, said) ?? (list.route === '' ? beginOfList(paths, page, isSole) : null);
      if (begin !== null) begins.set(list, begin);
    }
    return begins;
  }

  /** Where the list begins, as other scripts say of its module or of the whole script. */
  #said(list: Frame, isSole: boolean, begins: ReadonlyMap<string, string>): string | undefined {
    const { module } = list;
    return (module === '' ? undefined : begins.get(module)) ?? (isSole ? begins.get('') : undefined);
  }

  /** The lists whose records show pages, each with its paths. */
  #lists(): ReadonlyMap<Frame, readonly string[]> {
    const lists = new Map<Frame, string[]>();
    for (const { path, list } of this.#routes) if (list?.showsPages === true) addTo(lists, list, path);
    return lists;
  }
}

function addTo(lists: Map<Frame, string[]>, list: Frame, path: string): void {
  const paths = lists.get(list);
  if (paths === undefined) lists.set(list, [path]);
  else paths.push(path);
}

/** Notes that a record whose path was read says what is shown for it. */
export function noteKey({ key, list }: Frame): void {
  if (list !== null && !list.showsPages && PAGE_KEYS.has(key)) list.showsPages = true;
}

/** The route that the text is; null where it is none. Also notes it for routes within it, and what it shows of its list. */
function relativeRoute(value: string, place: Place): RelativeRoute | null {
  const { key, frame } = place;
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
  return { path, list: around.list, place, isAddress: value !== '' && NAMES.test(path) };
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
