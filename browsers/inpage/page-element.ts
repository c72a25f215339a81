/** Presents an element to core/links/markup/element-links.ts. One object serves a whole walk: it is set to one element after the other. */
import type { MarkupElement } from '../../src/core/links/markup/element-links.ts';
import { linkNamespaceOf, type LinkNamespace } from '../../src/model/link-sources.ts';
import type { RawLink } from '../../src/model/page-facts.ts';
import { attribute, byId, closest, folded, localNameOf, namespaceOf, select, textContentOf } from './safe-dom.ts';

const TEXT_LENGTH = 200;

export class PageElement implements MarkupElement {
  namespace: LinkNamespace = 'html';
  name = '';
  attributes: readonly string[] = [];
  /** Leaves words out. They are read only where they are kept: the text of a million anchors is expensive. */
  mute = false;
  base: string | null = null;
  #element: Element | null = null;

  set(element: Element, attributes: readonly string[]): this {
    this.#element = element;
    this.namespace = linkNamespaceOf(namespaceOf(element));
    this.name = localNameOf(element);
    this.attributes = attributes;
    return this;
  }

  attribute(name: string): string | null {
    return this.#element === null ? null : attribute(this.#element, name);
  }

  words(kind: RawLink['kind']): string {
    const element = this.#element;
    if (this.mute || element === null) return '';
    if (kind === 'anchor')
      return folded(this.namespace === 'html' ? nameOf(element) : (textContentOf(element) ?? ''), TEXT_LENGTH);
    if (kind === 'area') return folded(attribute(element, 'alt') ?? '', TEXT_LENGTH);
    return kind === 'frame' || kind === 'link-element' ? folded(attribute(element, 'title') ?? '', TEXT_LENGTH) : '';
  }

  menuCode(): string {
    const menu = this.#element === null ? null : closest(this.#element, 'select');
    return (menu && attribute(menu, 'onchange')) ?? '';
  }

  formMethod(): string {
    const form = this.#element === null ? null : (namedForm(this.#element) ?? closest(this.#element, 'form'));
    return ((form && attribute(form, 'method')) ?? 'get').trim().toLowerCase();
  }
}

/** The form that the `form` attribute of a button names; null where it names none. */
function namedForm(button: Element): Element | null {
  const id = attribute(button, 'form') ?? '';
  const form = id === '' ? null : byId(button, id);
  return form !== null && localNameOf(form) === 'form' ? form : null;
}

/** The name of a link: its text, or a substitute for it. */
function nameOf(element: Element): string {
  const text = textContentOf(element) ?? '';
  if (/\S/.test(text)) return text;
  const picture = select(element, 'img[alt]')[0];
  return (
    attribute(element, 'aria-label') ?? (picture && attribute(picture, 'alt')) ?? attribute(element, 'title') ?? ''
  );
}
