/**
 * The text of a page that `innerText` gives only in part: it leaves out what stands in shadow trees, and parts that are not laid out because
 * they are out of view (`content-visibility: auto`). The text of such places is put together out of their nodes, as far as their styles show
 * them: in place of an element's children its shadow tree, in place of a slot what is put there. Nothing of the page is changed.
 */
import {
  assignedNodesOf,
  childNodesOf,
  shadowHostOf,
  innerTextOf,
  localNameOf,
  parentOf,
  select,
  textContentOf,
} from '../safe-dom.ts';

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

interface UnreadParts {
  /** The shadow trees of the page. */
  readonly shadowRoots: readonly ShadowRoot[];
  /** Are there parts that are skipped? */
  readonly skips: boolean;
}

/** @param limit characters after which the rest is left out */
export function composedText(body: HTMLElement, { shadowRoots, skips }: UnreadParts, limit: number): string {
  // where so many parts are within each other that it would take too long, those parts are left out
  const holders = (skips ? holdersIn(body) : null) ?? new Set<Node>();
  const shadows = new Map<Node, ShadowRoot>();
  for (const root of shadowRoots) {
    shadows.set(shadowHostOf(root), root);
    noteAbove(holders, shadowHostOf(root));
    for (const slot of select(root, 'slot')) noteAbove(holders, slot);
  }
  if (holders.size === 0) return innerTextOf(body);
  const text = new Pieces(holders, shadows, limit).text(body);
  return text.replace(BREAKS, (ends) => (ends.includes(PARAGRAPH) ? '\n\n' : '\n')).trim();
}

/** Notes a node and all that it is in, up to the top of its tree. */
function noteAbove(holders: Set<Node>, within: Node): void {
  for (let node: Node | null = within; node !== null && !holders.has(node); node = parentOf(node)) holders.add(node);
}

/** Elements whose parts may be skipped, and all that these are in; null where too many are within each other. */
function holdersIn(body: Element): Set<Node> | null {
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
    noteAbove(holders, element);
  }
  return holders;
}

class Pieces {
  readonly #holders: ReadonlySet<Node>;
  readonly #shadows: ReadonlyMap<Node, ShadowRoot>;
  #left: number;
  #depth = 0;

  constructor(holders: ReadonlySet<Node>, shadows: ReadonlyMap<Node, ShadowRoot>, limit: number) {
    this.#holders = holders;
    this.#shadows = shadows;
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
    for (const child of this.#shownIn(element)) {
      if (this.#left <= 0) break;
      if (child instanceof HTMLElement) text += this.#piece(child);
      else if (child instanceof Text && isShown) text += this.#take((textContentOf(child) ?? '').replace(/\s+/g, ' '));
      else if (child instanceof SVGElement) text += this.#drawn(child);
    }
    return text;
  }

  #shownIn(element: HTMLElement): Iterable<Node> {
    if (element instanceof HTMLSlotElement) {
      const assigned = assignedNodesOf(element);
      if (assigned.length > 0) return assigned;
    }
    return childNodesOf(this.#shadows.get(element) ?? element);
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

  /** Each text of a drawing stands on a line of its own. */
  #drawn(drawing: SVGElement): string {
    let text = '';
    for (const element of select(drawing, 'text')) {
      if (this.#left <= 0) break;
      if (!isVisible.call(element, { visibilityProperty: true })) continue;
      text += BLOCK + this.#take((textContentOf(element) ?? '').replace(/\s+/g, ' ')) + BLOCK;
    }
    return text;
  }

  #take(text: string): string {
    const taken = text.slice(0, Math.max(0, this.#left));
    this.#left -= taken.length;
    return taken;
  }
}
