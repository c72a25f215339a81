/** What the page is like, cheaply: a hash of its structure, the addresses in it, and where it says that it is. */
import type { PageState } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS, hashOf } from './composed-tree.ts';
import { recordSoFar } from './record-navigations.ts';
import { attribute, localNameOf, textContentOf } from './safe-dom.ts';

declare global {
  /** Lives in the isolated world's global object only. */
  var orbweaverSeen: Set<string> | undefined;
}

/** Addresses remembered; more are not told from known ones. */
const REMEMBERED = 50_000;

/** What makes a difference to a person: shown or not, chosen or not. */
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
/** Of a style only whether anything is to be seen: a carousel writes a new one every second. */
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
    const words = leafWords(element);
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
  return { signature: hashOf(`${url}\n${structure.join(' ')}`), url, novel, navigations: recordSoFar().total };
}

const firstChild = (() => {
  const read = Object.getOwnPropertyDescriptor(Element.prototype, 'firstElementChild')?.get;
  return (element: Element): Element | null => (read ? Reflect.apply(read, element, []) : null);
})();

/** Short texts tell a menu from the next one. Numbers are left out, for clocks tick and counters count. */
function leafWords(element: Element): string {
  if (firstChild(element) !== null) return '';
  const text = textContentOf(element) ?? '';
  return text.length > 60 ? '' : text.replace(/\d+/g, '');
}

function addressOf(element: Element, name: string): string | null {
  if (name === 'a' || name === 'area') return attribute(element, 'href');
  if (name === 'iframe' || name === 'frame' || name === 'img') return attribute(element, 'src');
  return name === 'form' ? attribute(element, 'action') : null;
}
