/** The known listeners of this document; the renderer asks the browser and the page's own world for them. */
import type { FrameworkListeners } from '../../src/model/page-actions.ts';
import { select } from './safe-dom.ts';

declare global {
  /** In the isolated world's global object only: set by the renderer with nodes that the browser resolved. */
  var orbweaverListening: Map<Element, Set<string>> | undefined;
}

export interface Listeners {
  /** Events that an element itself listens for. */
  readonly of: (element: Element) => ReadonlySet<string>;
  /** Elements in closed trees, which only the browser could name. */
  readonly known: readonly Element[];
}

const NONE: ReadonlySet<string> = new Set();
/** Elements that one delegated selector is applied to. */
const DELEGATED = 500;

export function listenersOf(
  elements: readonly Element[],
  { nodes, delegated }: Omit<FrameworkListeners, 'keyed'>,
): Listeners {
  const native = (globalThis.orbweaverListening ??= new Map());
  const ofFrameworks = new Map<Element, Set<string>>();
  const add = (element: Element, events: readonly string[]): void => {
    const known = ofFrameworks.get(element) ?? new Set();
    for (const event of events) known.add(event);
    ofFrameworks.set(element, known);
  };
  for (const [index, events] of nodes) {
    const element = elements[index];
    if (element !== undefined) add(element, events);
  }
  for (const [events, selector] of delegated) {
    try {
      for (const element of [...select(document, selector)].slice(0, DELEGATED)) add(element, events);
    } catch {
      // not a selector that the browser knows (`:visible` of jQuery)
    }
  }
  return {
    of: (element) => {
      const [own, other] = [native.get(element), ofFrameworks.get(element)];
      return own !== undefined && other !== undefined ? new Set([...own, ...other]) : (own ?? other ?? NONE);
    },
    known: [...native.keys()],
  };
}
