/** The composed tree of a document in an order that is the same in every world: light tree first, then open shadow trees. */
import { select, shadowRootOf } from './safe-dom.ts';

/** @returns at most `limit` elements */
export function composedElements(limit: number): Element[] {
  const found: Element[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.shift(); root !== undefined; root = roots.shift()) {
    const elements = select(root, '*');
    const { length } = elements;
    for (let index = 0; index < length && found.length < limit; index++) {
      const element = elements[index];
      if (element === undefined) continue;
      found.push(element);
      const shadow = shadowRootOf(element);
      if (shadow !== null) roots.push(shadow);
    }
  }
  return found;
}

/** The parent element; for the top of a shadow tree, its host. */
export function composedParent(node: Node): Element | null {
  const parent = parentOf(node);
  if (parent instanceof Element) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

const parentOf = (() => {
  const read = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode')?.get;
  return (node: Node): Node | null => (read ? Reflect.apply(read, node, []) : null);
})();

/** Elements looked at while the crawler interacts with a page. */
export const EXPLORED_ELEMENTS = 30_000;

/** 53 bits of a text (cyrb53, public domain), as text. */
export function hashOf(text: string, seed = 0): string {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36);
}
