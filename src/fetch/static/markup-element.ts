/** Adapts an element of a parsed document to the rules for links, including its name and its form. */
import { foldedText } from '../../core/html/facts.ts';
import { textOf, type HtmlElement } from '../../core/html/tree.ts';
import type { MarkupElement } from '../../core/links/markup/element-links.ts';
import type { RawLink } from '../../model/page-facts.ts';

const TEXT_LENGTH = 200;
/** Most nodes read in an anchor for its name, because anchors may be nested. */
const NAME_NODES = 200;

/**
 * @param base of its references, if the document declares one
 * @param named gives the form with an id
 */
export function asMarkup(
  element: HtmlElement,
  base: string | null,
  named: (id: string) => HtmlElement | null = () => null,
): MarkupElement {
  const { name, namespace, attributes } = element;
  return {
    namespace,
    name,
    attributes: attributes.names,
    attribute: (key) => attributes.get(key) ?? null,
    words: (kind) => foldedText(wordsOf(element, kind), TEXT_LENGTH),
    base,
    menuCode: () => above(element, 'select')?.attributes.get('onchange') ?? '',
    formMethod: () => (formOf(element, named)?.attributes.get('method') ?? 'get').trim().toLowerCase(),
  };
}

function wordsOf(element: HtmlElement, kind: RawLink['kind']): string {
  if (kind === 'anchor') return element.namespace === 'html' ? nameOf(element) : textOf(element, NAME_NODES);
  if (kind === 'area') return element.attributes.get('alt') ?? '';
  return kind === 'link-element' || kind === 'frame' ? (element.attributes.get('title') ?? '') : '';
}

/** The name of a link: its text, or a substitute. */
function nameOf(element: HtmlElement): string {
  const text = textOf(element, NAME_NODES);
  if (/\S/.test(text)) return text;
  const { attributes } = element;
  return attributes.get('aria-label') ?? pictureIn(element)?.attributes.get('alt') ?? attributes.get('title') ?? '';
}

function pictureIn(element: HtmlElement): HtmlElement | null {
  let left = NAME_NODES;
  const search = ({ children }: HtmlElement): HtmlElement | null => {
    for (const child of children) {
      left -= 1;
      if (left < 0) return null;
      if (child.kind !== 'element') continue;
      const found = child.name === 'img' && child.attributes.has('alt') ? child : search(child);
      if (found !== null) return found;
    }
    return null;
  };
  return search(element);
}

/** The form that an element sends: the one that its `form` attribute names, else that around it. */
function formOf(element: HtmlElement, named: (id: string) => HtmlElement | null): HtmlElement | null {
  const form = named(element.attributes.get('form') ?? '');
  if (form !== null) return form;
  return above(element, 'form');
}

/** The nearest element of a name around another one. */
function above({ parent }: HtmlElement, name: string): HtmlElement | null {
  for (let at = parent; at !== null; at = at.parent) if (at.name === name) return at;
  return null;
}
