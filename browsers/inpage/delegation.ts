/**
 * Finds elements whose clicks a container or the document handles. Only their markup shows this: rows, entries, elements with the class
 * of a card or a tab, or with data attributes of their own.
 */
import { composedParent } from './composed-tree.ts';
import { attribute, localNameOf, select } from './safe-dom.ts';

const PRESSED = /^(?:click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/;
/** An element with listeners for so many kinds of events is the root of a framework, whose handlers are known one by one. */
const FRAMEWORK_ROOT = 14;
/** How many ancestors are searched for a container. */
const HEIGHT = 6;
const SPECULATIVE = 300;

/** Entries of containers that listen. */
const LISTED = /^(?:li|tr|dt|dd|figure|article|th)$/;
const NAMED =
  /(?:^|[\s_-])(?:card|btn|button|item|row|tile|toggle|tab|menu|link|click(?:able)?|trigger|more|next|prev|previous|expand(?:er)?|collapse|accordion|dropdown|opener|option|choice|chip|pill|tag|thumb(?:nail)?|entry|cell|page|arrow|handle|nav)(?:$|[\s_-])/i;
const DATA = /^data-(?!v-|react|testid|test|qa|cy|aos|src|srcset|lazy|nosnippet|track|ga|gtm|analytics|theme|svelte)/;

const namesOf = Element.prototype.getAttributeNames;
const INNER = 'a[href],button,input,select,textarea,summary,[onclick],[role=button],[role=tab]';

export class Delegation {
  readonly #listens: (element: Element) => ReadonlySet<string>;
  readonly #everywhere: boolean;
  #speculativeLinks = 0;

  /** @param listens the events for which an element itself has listeners; `html` stands for document and window as well */
  constructor(listens: (element: Element) => ReadonlySet<string>) {
    this.#listens = listens;
    const { documentElement, body } = document;
    this.#everywhere = [documentElement, body].some((root) => root !== null && this.#delegates(root));
  }

  /** Might an ancestor handle a click on it? Costs little where none listens. */
  isDelegated(element: Element, name: string): boolean {
    if (this.#speculativeLinks >= SPECULATIVE) return false;
    const named = NAMED.test(attribute(element, 'class') ?? '') || namesOf.call(element).some((one) => DATA.test(one));
    if (!named && !LISTED.test(name)) return false;
    const isHandled = (named && this.#everywhere) || this.#container(element);
    // an element around or within a control is used by that control
    if (!isHandled || isInside(element) || select(element, INNER).length > 0) return false;
    this.#speculativeLinks += 1;
    return true;
  }

  #container(element: Element): boolean {
    let at = composedParent(element);
    for (let height = 0; at !== null && height < HEIGHT; height++, at = composedParent(at)) {
      const name = localNameOf(at);
      if (name === 'body' || name === 'html') return false;
      if (this.#delegates(at)) return true;
    }
    return false;
  }

  #delegates(element: Element): boolean {
    const events = this.#listens(element);
    return events.size < FRAMEWORK_ROOT && [...events].some((event) => PRESSED.test(event));
  }
}

function isInside(element: Element): boolean {
  let at = composedParent(element);
  for (let height = 0; at !== null && height < HEIGHT; height++, at = composedParent(at))
    if (/^(?:a|button|select|label|summary)$/.test(localNameOf(at))) return true;
  return false;
}
