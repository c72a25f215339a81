/** Finds attributes of an element that may hold a link. A document has few names and many elements, so each name is judged once. */
import { isHandlerName } from '../../src/core/links/markup/handler-links.ts';
import { MARKUP_ATTRIBUTES } from '../../src/core/links/markup/markup-text.ts';
import { isUnknownElement } from '../../src/core/links/markup/unknown-attributes.ts';
import { LINK_ATTRIBUTES } from '../../src/model/link-sources.ts';
import { attributeNamesOf, localNameOf, namespaceOf } from './safe-dom.ts';

const HTML = 'http://www.w3.org/1999/xhtml';
/** Names that are remembered (arbitrary). */
const NAMES = 10_000;

export class WorthyAttributes {
  /** Attributes by name: may one hold a link? */
  readonly #worthy = new Map<string, boolean>();
  /** Elements by name: is it unknown to HTML? */
  readonly #unknown = new Map<string, boolean>();

  /** Attributes that may hold a link; null where none does, as with most elements. */
  of(element: Element): readonly string[] | null {
    const names = attributeNamesOf(element);
    if (names.length === 0) return null;
    const local = localNameOf(element);
    let isUnknown = this.#unknown.get(local);
    if (isUnknown === undefined) {
      isUnknown = namespaceOf(element) === HTML && isUnknownElement(local);
      if (this.#unknown.size < NAMES) this.#unknown.set(local, isUnknown);
    }
    return isUnknown ? names : this.#worthyNames(names);
  }

  #worthyNames(names: readonly string[]): string[] | null {
    let found: string[] | null = null;
    for (const name of names) {
      let worthy = this.#worthy.get(name);
      if (worthy === undefined) {
        const lower = name.toLowerCase();
        worthy =
          LINK_ATTRIBUTES.has(lower) ||
          lower.startsWith('data-') ||
          isHandlerName(lower) ||
          MARKUP_ATTRIBUTES.has(lower);
        if (this.#worthy.size < NAMES) this.#worthy.set(name, worthy);
      }
      if (!worthy) continue;
      if (found === null) found = [name];
      else found.push(name);
    }
    return found;
  }
}
