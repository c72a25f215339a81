/** Scrollable elements: the page, and elements in it with a scroll bar of their own, open shadow trees included. */
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';
import { attribute, localNameOf, matches, scrollHeightOf, scrollingElementOf, textContentOf } from './safe-dom.ts';

/** Elements with a scroll bar that are scrolled; the page itself is one of them. */
const SCROLLERS = 30;
/** Smaller differences, in pixels, come from rounding. */
const SLACK = 2;

/** Reads a number of each element of a page: an accessor called by `call` costs half of one called by `Reflect.apply`. */
function numberOf(name: string): (element: Element) => number {
  const read: ((this: Element) => number) | undefined = Object.getOwnPropertyDescriptor(Element.prototype, name)?.get;
  return (element) => (read === undefined ? 0 : read.call(element));
}

const clientHeightOf = numberOf('clientHeight');
const clientWidthOf = numberOf('clientWidth');
export const scrollWidthOf = numberOf('scrollWidth');
const scrollTopOf = numberOf('scrollTop');
const scrollLeftOf = numberOf('scrollLeft');
const scroller = Element.prototype.scrollTo;

function scroll(element: Element, to: ScrollToOptions): void {
  Reflect.apply(scroller, element, [to]);
}

export interface Scroller {
  readonly element: Element;
  readonly down: boolean;
  readonly across: boolean;
  /** Does it begin at its right end? */
  readonly mirrored: boolean;
}

export function findScrollers(): Scroller[] {
  const found: Scroller[] = [];
  const page = scrollingElementOf(document);
  if (page !== null && scrollHeightOf(page) > innerHeight + SLACK)
    found.push({ element: page, down: true, across: false, mirrored: false });
  for (const element of composedElements(EXPLORED_ELEMENTS)) {
    if (found.length >= SCROLLERS) break;
    if (element === page) continue;
    const height = clientHeightOf(element);
    if (height === 0) continue;
    const tall = scrollHeightOf(element) > height + SLACK;
    const wide = scrollWidthOf(element) > clientWidthOf(element) + SLACK;
    if (!tall && !wide) continue;
    const { overflowX, overflowY, direction } = getComputedStyle(element);
    const down = tall && moves(overflowY);
    const across = wide && moves(overflowX);
    if (down || across) found.push({ element, down, across, mirrored: direction === 'rtl' });
  }
  return found;
}

function moves(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
}

export function scrollToEnd({ element, down, across, mirrored }: Scroller): void {
  const left = across ? scrollWidthOf(element) * (mirrored ? -1 : 1) : scrollLeftOf(element);
  scroll(element, { top: down ? scrollHeightOf(element) : scrollTopOf(element), left, behavior: 'instant' });
}

/** @param views by how many views, negative to go back. @returns whether it moved */
export function scrollBy({ element, down, across, mirrored }: Scroller, views: number): boolean {
  const [top, left] = [scrollTopOf(element), scrollLeftOf(element)];
  scroll(element, {
    top: down ? top + views * clientHeightOf(element) : top,
    left: across ? left + views * clientWidthOf(element) * (mirrored ? -1 : 1) : left,
    behavior: 'instant',
  });
  return Math.abs(scrollTopOf(element) - top) + Math.abs(scrollLeftOf(element) - left) > 1;
}

export function scrollToStart({ element }: Scroller): void {
  scroll(element, { top: 0, left: 0, behavior: 'instant' });
}

const BOXES = new Set('div section article aside main ul ol li p tr tbody figure nav footer'.split(' '));
const IDLE = /^(?:loading|please wait|laden|chargement|cargando|caricamento|carregando|загрузка|加载|読み込み)/i;

/** Selector of elements that may say that they wait. Most elements match none of it, which one query shows. */
const WAITING = '[aria-busy="true"],[loading="lazy"],[client],[hx-trigger],[x-intersect]';

/** Does the element look as if it were filled once in view? True for named empty boxes, and for elements that say that they wait. */
export function awaitsView(element: Element): boolean {
  const name = localNameOf(element);
  if (matches(element, WAITING) && saysThatItWaits(element, name)) return true;
  if (!BOXES.has(name) && !name.includes('-')) return false;
  const text = textContentOf(element) ?? '';
  if (text.length > 40) return false;
  const bare = text.trim();
  return bare === '' ? isNamed(element) && isBare(element) : IDLE.test(bare);
}

function saysThatItWaits(element: Element, name: string): boolean {
  if (attribute(element, 'aria-busy') === 'true') return true;
  if (name !== 'iframe' && attribute(element, 'loading') === 'lazy' && name !== 'img') return true;
  return ['client', 'hx-trigger', 'x-intersect'].some((mark) =>
    /visible|revealed|intersect|^$/.test(attribute(element, mark) ?? '-'),
  );
}

function isNamed(element: Element): boolean {
  return Element.prototype.getAttributeNames.call(element).some((name) => /^(?:id|class|data-|style)/.test(name));
}

const firstElement = (() => {
  const read = Object.getOwnPropertyDescriptor(Element.prototype, 'firstElementChild')?.get;
  return (element: Element): Element | null => (read ? Reflect.apply(read, element, []) : null);
})();

function isBare(element: Element): boolean {
  return firstElement(element) === null && element.shadowRoot === null;
}
