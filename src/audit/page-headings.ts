/** Headings whose name is no text: a logo, a label, an element that is made a heading. */
import { foldedText } from '../core/html/facts.ts';
import { textOf, type HtmlElement } from '../core/html/tree.ts';

const TEXT = 200;
const MOST_HEADINGS = 50;
/** Nodes of a heading that are read. */
const HEADING_NODES = 1000;

/** Headings of the first level without an h1 that has text: by the name that a screen reader says (Accessible Name and Description Computation). */
export function namedHeadings(elements: readonly HtmlElement[]): readonly string[] {
  return elements
    .map((element) => foldedText(headingName(element), TEXT))
    .filter((name) => name !== '')
    .slice(0, MOST_HEADINGS);
}

function headingName(element: HtmlElement): string {
  const { name, attributes } = element;
  if (name === 'img') return isInHeading(element) ? (attributes.get('alt') ?? '') : '';
  if (!isHeading(element)) return '';
  const label = attributes.get('aria-label') ?? '';
  return /\S/.test(label) ? label : textOf(element, HEADING_NODES);
}

function isHeading({ name, namespace, attributes }: HtmlElement): boolean {
  if (name === 'h1' && namespace === 'html') return true;
  return attributes.get('role')?.trim().toLowerCase() === 'heading' && attributes.get('aria-level')?.trim() === '1';
}

function isInHeading(element: HtmlElement): boolean {
  for (let above = element.parent; above !== null; above = above.parent) if (isHeading(above)) return true;
  return false;
}
