/** The elements that a person might use, with what speaks for it and against it. Nothing is touched here. */
import type { ActionKind, ActionCandidate } from '../../src/model/page-actions.ts';
import { choicesOf } from './choices.ts';
import { composedParent, hashOf } from './composed-tree.ts';
import { Delegation } from './delegation.ts';
import { entriesOf } from './enter.ts';
import type { Listeners } from './listeners.ts';
import { attribute, folded, localNameOf, select, textContentOf } from './safe-dom.ts';

declare global {
  /** Lives in the isolated world's global object only: the elements behind the keys that were sent home. */
  var orbweaverElements: Map<string, WeakRef<Element>> | undefined;
  /** Lives in the isolated world's global object only. */
  var orbweaverKeys: WeakMap<Element, string> | undefined;
}

const KEPT = 2000;
/** Stands among the events of an element that has the hand as its cursor: the renderer asks the browser for it. */
const HAND = 'hand';
const WORDS = 100;

const ROLES =
  /^(?:button|tab|menuitem|menuitemcheckbox|menuitemradio|option|switch|treeitem|link|checkbox|radio|combobox|gridcell)$/;
const PRESSED = /^(?:click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|change|toggle)$/;
const HOVERED = /^(?:mouseover|mouseenter|pointerover|pointerenter|mousemove|pointermove)$/;
const FOCUSED = /^(?:focus|focusin)$/;
const KEYED = /^(?:keydown|keyup|keypress)$/;
const WRITTEN = /^(?:input|change|search)$/;
const HELD = /^(?:contextmenu|pointerdown|mousedown|touchstart)$/;
/** Attributes by which libraries say what a click does. */
const WIRED =
  /^(?:@click|v-on:click|x-on:click|on:click|data-action|data-toggle|data-bs-toggle|data-target|data-bs-target|data-click|data-href|data-url|hx-get|ng-click|\(click\)|data-ng-click|wire:click|phx-click|jsaction|popovertarget|aria-expanded|aria-haspopup|aria-controls|commandfor)$/;
const UNUSED = new Set(
  'html head body script style link meta title base noscript template source track param br hr'.split(' '),
);
const NEVER = new Set(['audio', 'video', 'iframe', 'frame', 'object', 'embed', 'canvas']);

export function findCandidates(elements: readonly Element[], listeners: Listeners): ActionCandidate[] {
  const found: ActionCandidate[] = [];
  globalThis.orbweaverElements = new Map();
  const looked = new Set<Element>();
  const delegation = new Delegation(listeners.of);
  for (const element of [...elements, ...listeners.known]) {
    if (found.length >= KEPT) break;
    if (looked.has(element)) continue;
    looked.add(element);
    const name = localNameOf(element);
    const events = listeners.of(element);
    if (name === 'html' && [...events].some((event) => KEYED.test(event)))
      found.push(candidateOf(element, name, { actions: ['key'], events, guessed: true }));
    if (UNUSED.has(name) || NEVER.has(name)) continue;
    const actions = actionsOf(element, name, events);
    let guessed = false;
    if (actions.length === 0) {
      if (name === 'a' || name === 'label') continue;
      guessed = !events.has(HAND);
      if (guessed && (events.size > 0 || !delegation.mayHear(element, name))) continue;
      actions.push('click');
    }
    found.push(candidateOf(element, name, { actions, events, guessed }));
  }
  return found;
}

function actionsOf(element: Element, name: string, events: ReadonlySet<string>): ActionKind[] {
  if (name === 'select') return ['select'];
  if (name === 'input' || name === 'textarea') return inputActions(element, events);
  if (name === 'option') return [];
  const actions: ActionKind[] = [];
  const has = (pattern: RegExp): boolean => [...events].some((event) => pattern.test(event));
  if (has(PRESSED) || looksUsable(element, name)) actions.push('click');
  if (has(HOVERED)) actions.push('hover');
  if (has(FOCUSED)) actions.push('focus');
  if (has(KEYED)) actions.push('key');
  if (has(HELD)) actions.push('press');
  if (events.has('dblclick')) actions.push('double');
  // where a link leads is known; only one that stays here is worth a click
  return name === 'a' && leadsAway(element) && !opensSomething(element) ? actions.filter(isGentle) : actions;
}

function isGentle(action: ActionKind): boolean {
  return action === 'hover' || action === 'focus';
}

function inputActions(element: Element, events: ReadonlySet<string>): ActionKind[] {
  const type = (attribute(element, 'type') ?? 'text').toLowerCase();
  if (['button', 'image', 'checkbox', 'radio', 'submit'].includes(type)) return ['click'];
  if (type === 'file' || type === 'hidden' || type === 'reset') return [];
  const actions: ActionKind[] = [...events].some((event) => FOCUSED.test(event)) ? ['focus'] : [];
  if ([...events].some((event) => WRITTEN.test(event)) && entriesOf(element).length > 0) actions.push('enter');
  if ([...events].some((event) => KEYED.test(event))) actions.push('key');
  return actions;
}

function looksUsable(element: Element, name: string): boolean {
  if (name === 'button' || name === 'summary') return true;
  if (name === 'a' || name === 'area') return isHere(element);
  const role = attribute(element, 'role');
  if (role !== null && ROLES.test(role.trim().toLowerCase())) return true;
  const tabindex = attribute(element, 'tabindex');
  if (tabindex !== null && Number(tabindex) >= 0) return true;
  if (attribute(element, 'onclick') !== null) return true;
  return isWired(element);
}

const namesOf = Element.prototype.getAttributeNames;

function isWired(element: Element): boolean {
  return namesOf.call(element).some((attributeName) => WIRED.test(attributeName.split('.', 1)[0] ?? ''));
}

/** A link that does not leave the page: `#`, a script, nothing. */
function isHere(element: Element): boolean {
  const href = (attribute(element, 'href') ?? '#').trim();
  return href === '' || href.startsWith('#') || /^javascript:/i.test(href);
}

function leadsAway(element: Element): boolean {
  return !isHere(element);
}

function opensSomething(element: Element): boolean {
  const role = attribute(element, 'role') ?? '';
  return (
    ['aria-expanded', 'aria-haspopup'].some((name) => attribute(element, name) !== null) ||
    /^(?:button|tab)$/.test(role)
  );
}

function candidateOf(
  element: Element,
  name: string,
  how: { readonly actions: readonly ActionKind[]; readonly events: ReadonlySet<string>; readonly guessed: boolean },
): ActionCandidate {
  const { actions, events, guessed } = how;
  // the page itself is called by none of its words
  const words = name === 'html' ? '' : labelWordsOf(element);
  const { path, template } = placeOf(element);
  return {
    key: keyOf(element, `${path} ${words.slice(0, 40)}`),
    template: hashOf(`${template} ${[...events].sort().join(' ')} ${actions.join(' ')}`),
    words,
    marks: marksOf(element),
    actions,
    options: name === 'select' ? choicesOf(element).length : actions.includes('enter') ? entriesOf(element).length : 0,
    visible: isVisible(element),
    listens: [...events].some((event) => event !== HAND),
    guessed,
    sends: isSender(element, name),
  };
}

/** The same element has the same key for as long as it is there; one that is made anew gets it by its place and words. */
function keyOf(element: Element, identity: string): string {
  const keys = (globalThis.orbweaverKeys ??= new WeakMap());
  const elements = (globalThis.orbweaverElements ??= new Map());
  const known = keys.get(element);
  let key = known ?? hashOf(identity);
  for (let other = 1; elements.has(key); other++) key = hashOf(identity, other);
  keys.set(element, key);
  elements.set(key, new WeakRef(element));
  return key;
}

/** A key for an element that is found by other ways than as a candidate. */
export function registerKey(element: Element, identity: string): { key: string; template: string } {
  const { path, template } = placeOf(element);
  const known = globalThis.orbweaverKeys?.get(element);
  const there = known !== undefined && globalThis.orbweaverElements?.has(known) === true;
  return { key: there ? known : keyOf(element, `${path} ${identity}`), template: hashOf(`${template} ${identity}`) };
}

export function elementOf(key: string): Element | null {
  const element = globalThis.orbweaverElements?.get(key)?.deref();
  return element !== undefined && isConnected(element) ? element : null;
}

const isConnected = (node: Node): boolean => {
  const read = Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected')?.get;
  return read !== undefined && Reflect.apply(read, node, []) === true;
};

const siblingBefore = (() => {
  const read = Object.getOwnPropertyDescriptor(Element.prototype, 'previousElementSibling')?.get;
  return (element: Element): Element | null => (read ? Reflect.apply(read, element, []) : null);
})();

const DEPTH = 60;

function placeOf(element: Element): { path: string; template: string } {
  const path: string[] = [];
  const template: string[] = [];
  let depth = 0;
  for (let at: Element | null = element; at !== null && depth < DEPTH; at = composedParent(at), depth++) {
    const name = localNameOf(at);
    let place = 0;
    for (let before = siblingBefore(at); before !== null && place < 5000; before = siblingBefore(before)) place += 1;
    path.push(`${name}${place}`);
    template.push(depth < 3 ? `${name}.${classesOf(at)}` : name);
  }
  return { path: path.join('<'), template: template.join('<') };
}

/** Classes that say what it is, without those that say what state it is in. */
function classesOf(element: Element): string {
  return (attribute(element, 'class') ?? '')
    .slice(0, 300)
    .split(/\s+/)
    .filter((name) => !/\d|^(?:is-|has-)|active|selected|open|current|hover|focus|first|last/i.test(name))
    .sort()
    .join('.');
}

export function labelWordsOf(element: Element): string {
  const label = attribute(element, 'aria-label') ?? '';
  const text = folded(textContentOf(element) ?? '', WORDS + 1);
  const picture = text === '' ? select(element, 'img[alt],svg[aria-label]')[0] : undefined;
  const shown = picture === undefined ? text : (attribute(picture, 'alt') ?? attribute(picture, 'aria-label') ?? '');
  const title = [attribute(element, 'title'), attribute(element, 'alt')].filter((name) => name !== null).join(' ');
  const value = localNameOf(element) === 'input' ? (attribute(element, 'value') ?? '') : '';
  // what holds a long text is a part of the page, not a button: its text is not its name
  return folded(
    [label, shown.length > WORDS ? '' : shown, title, value].filter((word) => word !== '').join(' '),
    WORDS * 2,
  );
}

export function marksOf(element: Element): string {
  const marks: string[] = [];
  for (const name of namesOf.call(element).slice(0, 50)) {
    if (
      /^(?:id|class|name|value|href|formaction|data-(?!v-)[\w-]+|hx-[\w-]+|@click|x-on:click|onclick|ng-click|wire:click|jsaction)$/.test(
        name,
      )
    )
      marks.push(
        name.startsWith('data-')
          ? `${name} ${attribute(element, name)?.slice(0, 60)}`
          : (attribute(element, name) ?? '').slice(0, 100),
      );
  }
  return folded(marks.join(' '), 400);
}

function isSender(element: Element, name: string): boolean {
  const type = (attribute(element, 'type') ?? (name === 'button' ? 'submit' : '')).toLowerCase();
  if (type !== 'submit' && type !== 'image') return false;
  if (attribute(element, 'form') !== null) return true;
  for (let at: Element | null = element; at !== null; at = composedParent(at))
    if (localNameOf(at) === 'form') return true;
  return false;
}

const checkVisibility = Element.prototype.checkVisibility;

export function isVisible(element: Element): boolean {
  return checkVisibility.call(element, { visibilityProperty: true });
}
