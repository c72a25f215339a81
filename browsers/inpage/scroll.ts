/** Scrolls everything that can be scrolled one step, and returns the measures to compare with the step before. */
import type { ScrollInput, ScrollLook } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';
import { openRoots } from './open-roots.ts';
import { attribute, scrollHeightOf, scrollingElementOf, select } from './safe-dom.ts';
import {
  awaitsView,
  findScrollers,
  scrollBy,
  scrollToEnd,
  scrollToStart,
  scrollWidthOf,
  type Scroller,
} from './scrollers.ts';

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverScroll:
    | { links: Set<string>; nodes: number; scrollers: Scroller[]; awaiting: WeakRef<Element>[] | null }
    | undefined;
}

/** Most elements waiting to be seen that are brought into view, one after the other. */
const AWAITING = 400;
/** Share of a view that a step advances, so that it passes over no content that is shown only there. */
const STEP = 0.8;

type Memory = NonNullable<typeof globalThis.orbweaverScroll>;

export function scroll({ to }: ScrollInput): ScrollLook {
  const memory = lookedAt();
  const { scrollers, nodes } = memory;
  const extent = scrollers.reduce((sum, { element }) => sum + scrollHeightOf(element) + scrollWidthOf(element), 0);
  const links = addresses();
  const recycled = [...memory.links].some((link) => !links.has(link));
  memory.links = links;
  const look = { height: extent, links: links.size, nodes, scrollable: scrollers.length > 0, recycled, moved: false };
  if (to === 'start') for (const scroller of scrollers) scrollToStart(scroller);
  let moved = to === 'next' && scrollers.length > 0 && showNext(memory);
  if (to === 'end' || (to === 'next' && !moved)) for (const scroller of scrollers) scrollToEnd(scroller);
  if (to === 'step') for (const scroller of scrollers) moved = scrollBy(scroller, STEP) || moved;
  if (to === 'back') for (const scroller of scrollers) moved = scrollBy(scroller, -2) || moved;
  return { ...look, moved };
}

/** Can the page, or anything in it, be scrolled? The first look of a scroll reuses this look. */
export function canScroll(): boolean {
  // the layout may have changed though the elements are the same
  if (globalThis.orbweaverScroll !== undefined) globalThis.orbweaverScroll.nodes = -1;
  return lookedAt().scrollers.length > 0;
}

/** Looks for scrollable elements again where elements have come or gone. */
function lookedAt(): Memory {
  const memory = (globalThis.orbweaverScroll ??= { links: new Set(), nodes: -1, scrollers: [], awaiting: null });
  const nodes = openRoots().reduce((sum, root) => sum + select(root, '*').length, 0);
  if (nodes !== memory.nodes) memory.scrollers = findScrollers();
  memory.nodes = nodes;
  return memory;
}

function addresses(): Set<string> {
  const found = new Set<string>();
  for (const root of openRoots())
    for (const element of select(root, 'a[href],area[href]')) found.add(attribute(element, 'href') ?? '');
  return found;
}

const rectOf = Element.prototype.getBoundingClientRect;
const show = Element.prototype.scrollIntoView;

/** Brings the next waiting element into view, from the top down. @returns false where none is left */
function showNext(memory: Memory): boolean {
  memory.awaiting ??= composedElements(EXPLORED_ELEMENTS)
    .filter((element) => awaitsView(element) && isBelow(element))
    .slice(0, AWAITING)
    .map((element) => new WeakRef(element));
  for (let next = memory.awaiting.shift(); next !== undefined; next = memory.awaiting.shift()) {
    const element = next.deref();
    // elements at the end of the page come into view at the end
    if (element === undefined || !isBelow(element) || isAtEnd(element)) continue;
    show.call(element, { block: 'center', behavior: 'instant' });
    return true;
  }
  return false;
}

function isBelow(element: Element): boolean {
  const { top, width } = rectOf.call(element);
  return top > innerHeight && width > 0;
}

function isAtEnd(element: Element): boolean {
  const page = scrollingElementOf(document);
  return page !== null && rectOf.call(element).top + scrollY > scrollHeightOf(page) - innerHeight;
}
