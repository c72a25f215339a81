/**
 * DOM access that named elements cannot break. A script of an isolated world has its own built-ins, but `<form>` and
 * `document` still answer a property with an element of that name (DOM clobbering), so every read goes through the
 * accessor or method of the prototype.
 */
function getter<Value>(prototype: object, name: string): (node: object) => Value {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!read) throw new TypeError(`no accessor ${name}`);
  return (node) => read.call(node);
}

export const localNameOf: (node: object) => string = getter(Element.prototype, 'localName');
export const namespaceOf: (node: object) => string | null = getter(Element.prototype, 'namespaceURI');
export const shadowRootOf: (node: object) => ShadowRoot | null = getter(Element.prototype, 'shadowRoot');
export const shadowHostOf: (root: object) => Element = getter(ShadowRoot.prototype, 'host');
export const outerHtmlOf: (node: object) => string = getter(Element.prototype, 'outerHTML');
export const scrollHeightOf: (node: object) => number = getter(Element.prototype, 'scrollHeight');
export const textContentOf: (node: object) => string | null = getter(Node.prototype, 'textContent');
export const childNodesOf: (node: object) => NodeListOf<ChildNode> = getter(Node.prototype, 'childNodes');
export const parentOf: (node: object) => Node | null = getter(Node.prototype, 'parentNode');
export const baseUriOf: (node: object) => string = getter(Node.prototype, 'baseURI');
export const documentElementOf: (node: object) => Element | null = getter(Document.prototype, 'documentElement');
export const bodyOf: (node: object) => Element | null = getter(Document.prototype, 'body');
export const titleOf: (node: object) => string = getter(Document.prototype, 'title');
export const doctypeOf: (node: object) => DocumentType | null = getter(Document.prototype, 'doctype');
export const cookieOf: (node: object) => string = getter(Document.prototype, 'cookie');
export const contentTypeOf: (node: object) => string = getter(Document.prototype, 'contentType');
export const readyStateOf: (node: object) => DocumentReadyState = getter(Document.prototype, 'readyState');
export const characterSetOf: (node: object) => string = getter(Document.prototype, 'characterSet');
export const anchorHrefOf: (node: object) => string = getter(HTMLAnchorElement.prototype, 'href');
export const scrollingElementOf: (node: object) => Element | null = getter(Document.prototype, 'scrollingElement');
export const innerTextOf: (node: object) => string = getter(HTMLElement.prototype, 'innerText');
export const frameDocumentOf: (node: object) => Document | null = getter(
  HTMLIFrameElement.prototype,
  'contentDocument',
);
export const currentSourceOf: (node: object) => string = getter(HTMLMediaElement.prototype, 'currentSrc');
export const isConnectedOf: (node: object) => boolean = getter(Node.prototype, 'isConnected');
export const templateContentOf: (node: object) => DocumentFragment = getter(HTMLTemplateElement.prototype, 'content');
const documentSheetsOf: (node: object) => StyleSheetList = getter(Document.prototype, 'styleSheets');
const shadowSheetsOf: (node: object) => StyleSheetList = getter(ShadowRoot.prototype, 'styleSheets');
const documentAdoptedOf: (node: object) => CSSStyleSheet[] = getter(Document.prototype, 'adoptedStyleSheets');
const shadowAdoptedOf: (node: object) => CSSStyleSheet[] = getter(ShadowRoot.prototype, 'adoptedStyleSheets');

const { getAttribute: readAttribute } = Element.prototype;
const { setAttribute: writeAttribute, getAttributeNames, closest: closestOf, matches: matchesOf } = Element.prototype;
const { createElementNS, createNodeIterator, querySelectorAll: documentQuery } = Document.prototype;
const { querySelectorAll: fragmentQuery, getElementById: elementByIdOfTree } = DocumentFragment.prototype;
const { getElementById: elementById } = Document.prototype;
const { getRootNode: rootOf } = Node.prototype;
const { assignedNodes } = HTMLSlotElement.prototype;
const { querySelectorAll: elementQuery } = Element.prototype;
const { querySelector: documentFind } = Document.prototype;
const { querySelector: fragmentFind } = DocumentFragment.prototype;

export function attribute(element: Element, name: string): string | null {
  return readAttribute.call(element, name);
}

/** Names as written, prefixes included. */
export function attributeNamesOf(element: Element): readonly string[] {
  return getAttributeNames.call(element);
}

export function closest(element: Element, selector: string): Element | null {
  return closestOf.call(element, selector);
}

export function matches(element: Element, selector: string): boolean {
  return matchesOf.call(element, selector);
}

/** The element with an id in the tree of another one; null in a tree that keeps no list of its ids, such as a template's. */
export function byId(element: Element, id: string): Element | null {
  const root = rootOf.call(element);
  if (root instanceof Document) return elementById.call(root, id);
  return root instanceof ShadowRoot ? elementByIdOfTree.call(root, id) : null;
}

/** What stands in a slot, as its shadow tree has it: a slot may stand in a slot. */
export function assignedNodesOf(slot: HTMLSlotElement): readonly Node[] {
  return assignedNodes.call(slot);
}

/** @param what a sum of NodeFilter's constants */
export function nodesBelow(root: Node, what: number): NodeIterator {
  return createNodeIterator.call(document, root, what);
}

export function sheetsOf(root: Document | ShadowRoot): Iterable<CSSStyleSheet> {
  return root instanceof Document ? documentSheetsOf(root) : shadowSheetsOf(root);
}

/** Style sheets made by scripts; a sheet that is added applies. */
export function adoptedSheetsOf(root: Document | ShadowRoot): CSSStyleSheet[] {
  return root instanceof Document ? documentAdoptedOf(root) : shadowAdoptedOf(root);
}

/**
 * Parses into a document without a window, in which nothing loads and nothing runs; null where this is refused. The sanitizer's parser comes
 * first: a page that demands trusted types forbids the other one to all its worlds, and is notified of the attempt. The sanitizer's
 * parser leaves out scripts, frames and plug-ins.
 */
export function parsedHtml(html: string): Document | null {
  try {
    const parse: unknown = Reflect.get(Document, 'parseHTML');
    const made: unknown =
      typeof parse === 'function'
        ? Reflect.apply(parse, Document, [html, { sanitizer: {} }])
        : new DOMParser().parseFromString(html, 'text/html');
    return made instanceof Document ? made : null;
  } catch {
    return null;
  }
}

/** An anchor outside of every tree: the page does not see it, and it resolves references as the document does. */
export function looseAnchor(): HTMLAnchorElement {
  const anchor = createElementNS.call(document, 'http://www.w3.org/1999/xhtml', 'a');
  if (anchor instanceof HTMLAnchorElement) return anchor;
  throw new TypeError('no anchor');
}

/** The URL to which an anchor with this reference leads; null where it is no URL. */
export function hrefThrough(anchor: HTMLAnchorElement, href: string): string | null {
  writeAttribute.call(anchor, 'href', href);
  const resolved = anchorHrefOf(anchor);
  return URL.canParse(resolved) ? resolved : null;
}

/** Elements below a root in tree order; shadow trees are not entered. */
export function select(root: Document | DocumentFragment | Element, selector: string): NodeListOf<Element> {
  if (root instanceof Document) return documentQuery.call(root, selector);
  return root instanceof Element ? elementQuery.call(root, selector) : fragmentQuery.call(root, selector);
}

/** Is there such an element below a root? It ends at the first one. */
export function holds(root: Document | ShadowRoot, selector: string): boolean {
  return (root instanceof Document ? documentFind : fragmentFind).call(root, selector) !== null;
}

/** Collapses white space and cuts the text. */
export function folded(text: string, limit: number): string {
  return text
    .slice(0, limit * 8)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limit);
}
