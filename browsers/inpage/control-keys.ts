/**
 * Keys of the elements that are sent to the renderer. A key finds its element again after the element was redrawn in another place,
 * and after the document was reloaded. A key is made of the element's kind and words where they distinguish it from others; else
 * of the text before it and its place, too.
 */
import { composedParent, hashOf } from './composed-tree.ts';
import { folded, isConnectedOf, localNameOf } from './safe-dom.ts';

/** The key of an element, and the words that it had under this key. */
interface Known {
  readonly key: string;
  readonly said: Set<string>;
}

declare global {
  /** Lives in the isolated world's global object only: the elements behind the keys that were sent home. */
  var orbweaverElements: Map<string, WeakRef<Element>> | undefined;
  /** Lives in the isolated world's global object only. */
  var orbweaverKnown: WeakMap<Element, Known> | undefined;
  /** Lives in the isolated world's global object only: the element that was used last. */
  var orbweaverUsed: WeakRef<Element> | undefined;
}

/** An element that is to get a key. */
export interface Named {
  readonly element: Element;
  /** Equal for elements that are made alike. */
  readonly template: string;
  /** Its place in the tree. */
  readonly path: string;
  readonly words: string;
}

/** Characters of a label that are compared. */
const LABEL_LENGTH = 40;
/** Elements of a list that are distinguished by the text before them. */
const LOOKED_BEFORE = 500;

/** Gives keys to a list, in its order. The keys of the list before become invalid, unless they are given again. */
export function keysOf(list: readonly Named[]): readonly string[] {
  globalThis.orbweaverElements = new Map();
  const alike = countsOf(list.map(likenessOf));
  const same = countsOf(list.map(sameOf));
  let looked = 0;
  return list.map((named) => {
    if (same.get(sameOf(named)) === 1) {
      const isAlone = alike.get(likenessOf(named)) === 1 && /\p{L}/u.test(named.words);
      const place = named.words === '' ? ` ${named.path}` : '';
      return keyOf(named.element, named.words, `${isAlone ? likenessOf(named) : sameOf(named)}${place}`);
    }
    const before = looked++ < LOOKED_BEFORE ? textBefore(named.element) : '';
    return keyOf(named.element, `${named.words}\n${before}`, `${sameOf(named)} ${before} ${named.path}`);
  });
}

/** A key for one more element, from its place and its identity. */
export function keyOfPlace({ element, path }: Pick<Named, 'element' | 'path'>, identity: string): string {
  const known = globalThis.orbweaverKnown?.get(element);
  if (known !== undefined && globalThis.orbweaverElements?.has(known.key) === true) return known.key;
  return keyOf(element, identity, `${path} ${identity}`);
}

/** The element of a key; null where it is not in the document any more. */
export function elementOf(key: string): Element | null {
  const element = globalThis.orbweaverElements?.get(key)?.deref();
  return element !== undefined && isConnectedOf(element) ? element : null;
}

/** Lets the element keep its key when its words change after this use. */
export function markUsed(element: Element): void {
  globalThis.orbweaverUsed = new WeakRef(element);
}

const sameOf = ({ template, words }: Named): string => `${template} ${words.slice(0, LABEL_LENGTH)}`;
/** "More (20 of 103)" and "More (40 of 103)" are one control where there is no other like it. */
const likenessOf = ({ template, words }: Named): string => `${template} ${withoutFigures(words)}`;
const withoutFigures = (words: string): string => words.slice(0, LABEL_LENGTH).replace(/\d+/g, '#');

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * An element keeps its key while its words are the same, or where they changed after it was used ("Show", "Hide"). An element
 * whose words changed without use now belongs to another row or page.
 */
function keyOf(element: Element, saying: string, identity: string): string {
  const names = (globalThis.orbweaverKnown ??= new WeakMap());
  const elements = (globalThis.orbweaverElements ??= new Map());
  const known = names.get(element);
  const keeps = known !== undefined && (known.said.has(saying) || hasTurned(element, known, saying));
  let key = keeps ? known.key : hashOf(identity);
  for (let other = 1; elements.has(key); other++) key = hashOf(identity, other);
  if (known !== undefined && known.key === key) known.said.add(saying);
  else names.set(element, { key, said: new Set([saying]) });
  elements.set(key, new WeakRef(element));
  return key;
}

/** Did use change the words? Not where only figures changed: that is the number of another page. */
function hasTurned(element: Element, { said }: Known, saying: string): boolean {
  if (globalThis.orbweaverUsed?.deref() !== element) return false;
  return [...said].every((before) => withoutFigures(before) !== withoutFigures(saying));
}

const HEIGHT = 4;
const SIBLINGS = 8;
const PIECE = 30;
/** Elements that end a group of related content. */
const LISTED = /^(?:li|tr|article|dt|dd|figure|section|body|html)$/;
const sibling = Object.getOwnPropertyDescriptor(Node.prototype, 'previousSibling')?.get;
const dataOf = Object.getOwnPropertyDescriptor(CharacterData.prototype, 'data')?.get;
const { createTreeWalker } = Document.prototype;
/** Texts of one sibling that are looked at. */
const TEXTS = 5;

/** The text of the row or card that a reader meets before the element. */
function textBefore(element: Element): string {
  const pieces: string[] = [];
  let at: Element | null = element;
  for (let height = 0; at !== null && height < HEIGHT && !LISTED.test(localNameOf(at)); height++) {
    for (let node = before(at); node !== null && pieces.length < SIBLINGS; node = before(node)) {
      const text = firstText(node);
      if (text !== '') pieces.push(text);
    }
    at = composedParent(at);
  }
  return pieces.join(' ');
}

function before(node: Node): Node | null {
  const found: unknown = sibling === undefined ? null : Reflect.apply(sibling, node, []);
  return found instanceof Node ? found : null;
}

function firstText(node: Node): string {
  if (node instanceof Text) return folded(textOf(node), PIECE);
  const walker = createTreeWalker.call(document, node, NodeFilter.SHOW_TEXT);
  for (let count = 0; count < TEXTS; count++) {
    const found = walker.nextNode();
    if (found === null) break;
    const text = folded(textOf(found), PIECE);
    if (text !== '') return text;
  }
  return '';
}

const textOf = (node: Node): string => (dataOf === undefined ? '' : String(Reflect.apply(dataOf, node, [])));
