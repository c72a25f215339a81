/** Texts of a document that may name keys: scripts in it, and attributes of libraries that listen for keys. */
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';
import { attribute, attributeNamesOf, localNameOf, select, textContentOf } from './safe-dom.ts';

/** Scripts in the document, and characters of each. */
const SCRIPTS = 20;
const SCRIPT_LENGTH = 50_000;
/** Attributes, and characters of each. */
const ATTRIBUTES = 50;
const ATTRIBUTE_LENGTH = 200;

/** Attributes that name shortcuts; and those by which libraries bind keys: `@keydown.g`, `data-action="keydown.g@window->…"`. */
const NAMES_KEYS = /^(?:aria-keyshortcuts|data-hotkey|data-shortcut)$/;
const HEARS_KEYS = /key(?:down|up|press)/;

export function keyTexts(): string[] {
  const texts: string[] = [];
  for (const element of composedElements(EXPLORED_ELEMENTS)) {
    if (texts.length >= ATTRIBUTES) break;
    if (localNameOf(element) === 'script') continue;
    for (const name of attributeNamesOf(element)) {
      const isTold = NAMES_KEYS.test(name);
      const value = isTold || name === 'data-action' || HEARS_KEYS.test(name) ? (attribute(element, name) ?? '') : '';
      // in the form in which a script would compare with it
      if (isTold) texts.push(...value.split(/\s+/).map((key) => `bind("${key.slice(0, 30)}")`));
      else if (HEARS_KEYS.test(name) || HEARS_KEYS.test(value))
        texts.push(`${name} ${value}`.slice(0, ATTRIBUTE_LENGTH));
    }
  }
  const scripts = [...select(document, 'script:not([src])')].map((script) => textContentOf(script) ?? '');
  const listening = scripts.filter((text) => HEARS_KEYS.test(text) || /hotkey|shortcut|mousetrap/i.test(text));
  return [...texts.slice(0, ATTRIBUTES), ...listening.slice(0, SCRIPTS).map((text) => text.slice(0, SCRIPT_LENGTH))];
}
