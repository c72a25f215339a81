/**
 * The text of a page whose parts out of view are not laid out (`content-visibility: auto`). `innerText` leaves such a part out, so its text is
 * put together out of its nodes, as far as their styles show them. Nothing of the page is changed.
 */
import { childNodesOf, innerTextOf, localNameOf, parentOf, select, textContentOf } from '../safe-dom.ts';

/** Elements that are asked whether they are laid out: a part holds many of them. */
const ASKED = 400;
/** Elements whose style is read, on a page that has such parts. */
const STYLED = 50_000;

/** Elements within each other in which parts are looked for; scripts may nest without end, and each level takes from the stack. */
const DEEPEST = 500;
/** Parts within each other: to ask for a style costs the more the more of them an element is in (300 took a third of a second). */
const NESTED = 8;

/** Stand where blocks and paragraphs begin and end: as in `innerText`, the largest of neighbouring breaks counts. */
const [BLOCK, PARAGRAPH] = ['\u0002', '\u0003'];
const BREAKS = /[ \t]?[\u0002\u0003][ \t\u0002\u0003]*/g;

const isVisible = Element.prototype.checkVisibility;

/** Are there parts that are not laid out because they are out of view? */
export function hasSkippedParts(body: Element): boolean {
  const elements = select(body, '*');
  const step = Math.max(1, Math.floor(elements.length / ASKED));
  for (let index = elements.length - 1; index >= 0; index -= step) {
    const element = elements[index];
    if (element !== undefined && isSkipped(element)) return true;
  }
  return false;
}

function isSkipped(element: Element): boolean {
  return !isVisible.call(element, { contentVisibilityAuto: true }) && isVisible.call(element);
}

/** @param limit characters after which the rest is left out @returns null where so many parts are within each other that it would take too long */
export function textWithSkippedParts(body: HTMLElement, limit: number): string | null {
  const holders = holdersIn(body);
  if (holders === null) return null;
  const text = new Pieces(holders, limit).text(body);
  return text.replace(BREAKS, (ends) => (ends.includes(PARAGRAPH) ? '\n\n' : '\n')).trim();
}

/** Elements whose parts may be skipped, and all that these are in. */
function holdersIn(body: Element): ReadonlySet<Node> | null {
  const holders = new Set<Node>();
  /** Number of such elements that one is in, itself included. */
  const levels = new Map<Node, number>();
  let styled = 0;
  for (const element of select(body, '*')) {
    if ((styled += 1) > STYLED) break;
    if (getComputedStyle(element).contentVisibility !== 'auto') continue;
    let above = parentOf(element);
    while (above !== null && above !== body && !levels.has(above)) above = parentOf(above);
    const level = 1 + (above === null ? 0 : (levels.get(above) ?? 0));
    if (level > NESTED) return null;
    levels.set(element, level);
    for (let node: Node | null = element; node !== null && !holders.has(node); node = parentOf(node)) holders.add(node);
  }
  return holders;
}

class Pieces {
  readonly #holders: ReadonlySet<Node>;
  #left: number;
  #depth = 0;

  constructor(holders: ReadonlySet<Node>, limit: number) {
    this.#holders = holders;
    this.#left = limit;
  }

  text(element: HTMLElement): string {
    const isWhole = this.#depth >= DEEPEST || (!this.#holders.has(element) && !isSkipped(element));
    if (isWhole) return this.#take(innerTextOf(element));
    this.#depth += 1;
    const text = this.#textOfChildren(element);
    this.#depth -= 1;
    return text;
  }

  #textOfChildren(element: HTMLElement): string {
    const isShown = getComputedStyle(element).visibility === 'visible';
    let text = '';
    for (const child of childNodesOf(element)) {
      if (this.#left <= 0) break;
      if (child instanceof HTMLElement) text += this.#piece(child);
      else if (child instanceof Text && isShown) text += this.#take((textContentOf(child) ?? '').replace(/\s+/g, ' '));
    }
    return text;
  }

  #piece(child: HTMLElement): string {
    if (localNameOf(child) === 'br') return '\n';
    const { display, contentVisibility } = getComputedStyle(child);
    // an element that is not shown would give all that it holds, as scripts do
    if (display === 'none' || contentVisibility === 'hidden') return '';
    const text = this.text(child);
    if (display.startsWith('inline') || display === 'contents' || text.trim() === '') return text;
    const end = localNameOf(child) === 'p' ? PARAGRAPH : BLOCK;
    return end + text + end;
  }

  #take(text: string): string {
    const taken = text.slice(0, Math.max(0, this.#left));
    this.#left -= taken.length;
    return taken;
  }
}
