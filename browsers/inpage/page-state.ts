/** A cheap description of the page: a hash of its structure, the addresses in it, and its own address. */
import type { PageState } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS, hashOf } from './composed-tree.ts';
import { navigationsSoFar } from './record-navigations.ts';
import { attribute, localNameOf, textContentOf } from './safe-dom.ts';
import { skipTransition } from './view-transition.ts';

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverSeen: Set<string> | undefined;
}

/** Addresses remembered; beyond them, new ones are not distinguished from known ones. */
const REMEMBERED = 50_000;

/** Attributes that make a difference to a person: shown or not, chosen or not. */
const STATEFUL = [
  'hidden',
  'open',
  'aria-expanded',
  'aria-selected',
  'aria-hidden',
  'aria-current',
  'class',
  // a step of a form differs from the next one by its fields
  'name',
  'type',
  'placeholder',
];
/** Style that hides an element. Nothing else of a style counts: a carousel writes a new one every second. */
const UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden/;

export function pageState(elements: readonly Element[] = composedElements(EXPLORED_ELEMENTS)): PageState {
  const seen = (globalThis.orbweaverSeen ??= new Set());
  const structure: string[] = [];
  let novel = 0;
  for (const element of elements) {
    const name = localNameOf(element);
    structure.push(name);
    for (const attributeName of STATEFUL) {
      const value = attribute(element, attributeName);
      if (value !== null) structure.push(value.slice(0, 100));
    }
    const words = leafWords(element, name);
    if (words !== '') structure.push(words);
    if (UNSEEN.test(attribute(element, 'style') ?? '')) structure.push('-');
    const address = addressOf(element, name);
    if (address === null) continue;
    structure.push(address);
    if (seen.has(address) || seen.size >= REMEMBERED) continue;
    seen.add(address);
    novel += 1;
  }
  const url = location.href.slice(0, 8192);
  const signature = hashOf(`${url}\n${structure.join(' ')}`);
  return { signature, url, novel, navigations: navigationsSoFar(), inTransition: skipTransition() };
}

const firstChild = (() => {
  const read = Object.getOwnPropertyDescriptor(Element.prototype, 'firstElementChild')?.get;
  return (element: Element): Element | null => (read ? Reflect.apply(read, element, []) : null);
})();

/** Elements whose figures name something: an entry, a page, a heading. */
const NAMES = /^(?:a|button|td|th|li|dt|dd|h[1-6]|option|summary|figcaption)$/;
const NAMING = /(?:^|[\s_-])(?:row|item|card|entry|cell|title|tile|name|product)(?:$|[\s_-])/i;

/** Short texts distinguish a menu from the next one. Numbers are left out elsewhere, for clocks tick and counters count. */
function leafWords(element: Element, name: string): string {
  if (firstChild(element) !== null) return '';
  const text = textContentOf(element) ?? '';
  if (text.length > 60) return '';
  return NAMES.test(name) || NAMING.test(attribute(element, 'class') ?? '') ? text : text.replace(/\d+/g, '');
}

function addressOf(element: Element, name: string): string | null {
  if (name === 'a' || name === 'area') return attribute(element, 'href');
  if (name === 'iframe' || name === 'frame' || name === 'img') return attribute(element, 'src');
  return name === 'form' ? attribute(element, 'action') : null;
}
