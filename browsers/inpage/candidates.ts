/** Lists the elements that a person might use, with the evidence for and against each. It touches none of them. */
import type { ActionKind, ActionCandidate } from '../../src/model/page-actions.ts';
import { isHeardBy } from '../../src/model/used-events.ts';
import { keyTurnsOf } from './key-strokes.ts';
import { choicesOf } from './choices.ts';
import { composedParent, hashOf } from './composed-tree.ts';
import { answersConsent } from './consent/answer.ts';
import { keyOfPlace, keysOf, type Named } from './control-keys.ts';
import { Delegation } from './delegation.ts';
import { entriesOf } from './enter.ts';
import { hiddenMethodOf, labelWordsOf, marksOf } from './labels.ts';
import type { Listeners } from './listeners.ts';
import { attribute, baseUriOf, closest, isConnectedOf, localNameOf } from './safe-dom.ts';

const KEPT = 2000;
/** Pseudo-event of an element whose cursor is the hand; the renderer asks the browser for it. */
const HAND = 'hand';

const ROLES =
  /^(?:button|tab|menuitem|menuitemcheckbox|menuitemradio|option|switch|treeitem|link|checkbox|radio|combobox|gridcell)$/;
/** An element with listeners for so many kinds of events is the root of a framework, whose handlers are known one by one. */
const FRAMEWORK_ROOT = 14;
/** Attributes in which libraries declare the effect of a click. */
const WIRED =
  /^(?:@click|v-on:click|x-on:click|on:click|data-action|data-toggle|data-bs-toggle|data-target|data-bs-target|data-click|data-href|data-url|hx-get|ng-click|\(click\)|data-ng-click|wire:click|phx-click|jsaction|popovertarget|aria-expanded|aria-haspopup|aria-controls|commandfor)$/;
const UNUSED = new Set(
  'html head body script style link meta title base noscript template source track param br hr'.split(' '),
);
/** Actions that an element's listeners allow; those that need no other element come first. */
const LISTENED = ['click', 'hover', 'focus', 'key', 'press', 'double', 'leave', 'blur', 'wheel', 'drag'] as const;
/** The actions of the page as a whole; no clicks, as those of all elements arrive there. */
const PAGE_ACTIONS = ['key', 'hover', 'leave', 'blur', 'wheel', 'press', 'drag'] as const;
/** Actions on a link that do not follow it. */
const GENTLE: ReadonlySet<ActionKind> = new Set(['hover', 'leave', 'focus', 'blur', 'wheel', 'drag']);
const ROOTLESS: ReadonlySet<ActionKind> = new Set(['leave', 'blur', 'wheel', 'drag']);
const NEVER = new Set(['audio', 'video', 'iframe', 'frame', 'object', 'embed', 'canvas']);

/** A usable element with its actions, before it has a key. */
interface Usable extends Named {
  readonly name: string;
  readonly actions: readonly ActionKind[];
  readonly events: ReadonlySet<string>;
  readonly guessed: boolean;
}

/** @param comparedKeys how many keys the scripts of the page compare with */
export function findCandidates(
  elements: readonly Element[],
  listeners: Listeners,
  comparedKeys: number,
): ActionCandidate[] {
  const found: Usable[] = [];
  const looked = new Set<Element>();
  const delegation = new Delegation(listeners.of);
  for (const element of [...elements, ...listeners.known]) {
    if (found.length >= KEPT) break;
    // an element that has left the document keeps its listeners
    if (looked.has(element) || !isConnectedOf(element)) continue;
    looked.add(element);
    const usable = usableOf(element, listeners.of(element), delegation);
    if (usable !== null && !answersConsent(element, usable.words)) found.push(usable);
  }
  const keys = keysOf(found);
  return found.map((usable, index) => ({
    ...candidateOf(usable, keys[index] ?? ''),
    keyTurns: usable.actions.includes('key') ? keyTurnsOf(usable.element, comparedKeys) : 0,
  }));
}

function usableOf(element: Element, events: ReadonlySet<string>, delegation: Delegation): Usable | null {
  const name = localNameOf(element);
  if (name === 'html') {
    const possible = PAGE_ACTIONS.filter((action) => isHeardBy(action, events) && isFew(action, events));
    const actions = possible.filter((action) => action !== 'press' || events.has('contextmenu'));
    return actions.length > 0 ? named(element, name, { actions, events, guessed: true }) : null;
  }
  if (UNUSED.has(name) || NEVER.has(name)) return null;
  const actions = actionsOf(element, name, events);
  if (actions.length > 0) return named(element, name, { actions, events, guessed: false });
  if (name === 'a' || name === 'label') return null;
  const guessed = !events.has(HAND);
  if (guessed && (events.size > 0 || !delegation.isDelegated(element, name))) return null;
  return named(element, name, { actions: ['click'], events, guessed });
}

function named(element: Element, name: string, how: Pick<Usable, 'actions' | 'events' | 'guessed'>): Usable {
  const { path, template } = placeOf(element);
  const kind = hashOf(`${template} ${[...how.events].sort().join(' ')} ${how.actions.join(' ')}`);
  // the page itself gets no name from its words
  return { ...how, element, name, path, template: kind, words: name === 'html' ? '' : labelWordsOf(element) };
}

function actionsOf(element: Element, name: string, events: ReadonlySet<string>): ActionKind[] {
  if (name === 'select') return ['select'];
  if (name === 'input' || name === 'textarea') return inputActions(element, events);
  if (name === 'option') return [];
  const actions: ActionKind[] = LISTENED.filter((action) => isHeardBy(action, events) && isFew(action, events));
  if (!actions.includes('click') && looksUsable(element, name)) actions.unshift('click');
  // a link's target is known; only a link that stays on the page is worth a click
  return name === 'a' && leadsAway(element) && !opensSomething(element)
    ? actions.filter((action) => GENTLE.has(action))
    : actions;
}

/** Ignores a framework's root, which listens for everything: it gets the events of its elements. */
function isFew(action: ActionKind, events: ReadonlySet<string>): boolean {
  return !ROOTLESS.has(action) || events.size < FRAMEWORK_ROOT;
}

function inputActions(element: Element, events: ReadonlySet<string>): ActionKind[] {
  const type = (attribute(element, 'type') ?? 'text').toLowerCase();
  if (['button', 'image', 'checkbox', 'radio', 'submit'].includes(type)) return ['click'];
  if (type === 'file' || type === 'hidden' || type === 'reset') return [];
  const actions: ActionKind[] = isHeardBy('focus', events) ? ['focus'] : [];
  if (isHeardBy('enter', events) && entriesOf(element).length > 0) actions.push('enter');
  if (isHeardBy('key', events)) actions.push('key');
  if (isHeardBy('blur', events)) actions.push('blur');
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
  return !isHere(element) && !namesPlaceHere(element);
}

/** A link to a place in the page by its whole address, as documents with a base element have for their tabs; routes are pages. */
function namesPlaceHere(element: Element): boolean {
  const [href = '', base] = [attribute(element, 'href') ?? '', baseUriOf(document)];
  if (!/#(?![/!])/.test(href) || !URL.canParse(href, base)) return false;
  return withoutFragment(new URL(href, base).href) === withoutFragment(location.href);
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

function opensSomething(element: Element): boolean {
  const role = attribute(element, 'role') ?? '';
  return (
    ['aria-expanded', 'aria-haspopup'].some((name) => attribute(element, name) !== null) ||
    /^(?:button|tab)$/.test(role)
  );
}

function candidateOf(usable: Usable, key: string): Omit<ActionCandidate, 'keyTurns'> {
  const { element, name, actions, events, guessed, template, words } = usable;
  const sends = isSender(element, name);
  return {
    key,
    template,
    words,
    marks: `${sends ? hiddenMethodOf(closest(element, 'form') ?? element) : ''} ${marksOf(element)}`.trim(),
    actions,
    options: name === 'select' ? choicesOf(element).length : actions.includes('enter') ? entriesOf(element).length : 0,
    visible: isVisible(element),
    listens: [...events].some((event) => event !== HAND),
    guessed,
    sends,
  };
}

/** Registers a key for an element that was not found as a candidate. */
export function registerKey(element: Element, identity: string): { key: string; template: string } {
  const { path, template } = placeOf(element);
  return { key: keyOfPlace({ element, path }, identity), template: hashOf(`${template} ${identity}`) };
}

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

/** Classes that name the kind of the element, without those that name its state. */
function classesOf(element: Element): string {
  return (attribute(element, 'class') ?? '')
    .slice(0, 300)
    .split(/\s+/)
    .filter(
      (name) => !/\d|^(?:is-|has-)|active|selected|open|current|disabled|loading|hover|focus|first|last/i.test(name),
    )
    .sort()
    .join('.');
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
