/** Does to an element what a person would, by events from our world: the page hears them, and cannot tell who sent them. */
import type { ActInput, ActResult } from '../../src/model/page-actions.ts';
import { elementOf } from './candidates.ts';
import { choicesOf } from './choices.ts';
import { composedParent } from './composed-tree.ts';
import { enterInto } from './enter.ts';

const dispatch = EventTarget.prototype.dispatchEvent;
const focusOn = HTMLElement.prototype.focus;
const elementAt = Document.prototype.elementFromPoint;
const rootOf = Node.prototype.getRootNode;
const rectOf = Element.prototype.getBoundingClientRect;
const scrollTo = Element.prototype.scrollIntoView;

/** Pixels; libraries ask for 10 to 50. */
const SWIPE = 80;

const KEYS = [
  ['Enter', 'Enter', 13],
  [' ', 'Space', 32],
  ['ArrowDown', 'ArrowDown', 40],
] as const;
type Key = readonly [key: string, code: string, keyCode: number];
/** What pages listen for as a whole, a few at a time: the next one, a search, help, a palette. */
const SHORTCUTS: readonly (readonly Key[])[] = [
  [
    ['ArrowRight', 'ArrowRight', 39],
    ['/', 'Slash', 191],
    ['?', 'Slash', 191],
  ],
  [
    ['k', 'KeyK', 75],
    ['j', 'KeyJ', 74],
    ['n', 'KeyN', 78],
    ['m', 'KeyM', 77],
  ],
];

/** An action that is held down is ended by the next call, with `turn` 1. */
export function act({ key, action, turn }: ActInput): ActResult {
  const element = elementOf(key);
  if (element === null) return { end: 'gone', x: 0, y: 0 };
  if (isDisabled(element)) return { end: 'idle', x: 0, y: 0 };
  const { left, top, width, height } = rectOf.call(element);
  const at = { x: left + width / 2, y: top + height / 2 };
  const send = sender(element, at);
  switch (action) {
    case 'click':
      press(element, send);
      send('mouse', 'click', { detail: 1 });
      break;
    case 'hover':
      hover(send);
      break;
    case 'focus':
      focus(element, send);
      break;
    case 'key':
      strike(element, turn);
      break;
    case 'press':
      hold(element, send, turn);
      break;
    case 'double':
      press(element, send);
      send('mouse', 'dblclick', { detail: 2 });
      break;
    case 'select':
      return { end: choose(element, send, turn) ? 'done' : 'idle', ...at };
    case 'open':
      return bringToView(element);
    case 'enter':
      return { end: enterInto(element, turn) ? 'done' : 'idle', ...at };
    default:
      return { end: 'idle', ...at };
  }
  return { end: 'done', ...at };
}

const matches = Element.prototype.matches;

/** What is switched off does nothing for a person, though it would hear our events. */
function isDisabled(element: Element): boolean {
  return matches.call(element, ':disabled,[aria-disabled="true" i],[inert],[inert] *');
}

/** Scrolls to it. What a press in its middle would not meet cannot be used by a person: there may be anything above it. */
function bringToView(element: Element): ActResult {
  scrollTo.call(element, { block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = rectOf.call(element);
  const [x, y] = [left + width / 2, top + height / 2];
  const met = width > 0 && height > 0 ? elementAt.call(document, x, y) : null;
  return { end: met !== null && isMet(element, met) ? 'done' : 'idle', x, y };
}

/** @param met of the document's own tree: for what is in a shadow tree, its host */
function isMet(element: Element, met: Element): boolean {
  for (let at: Element | null = met; at !== null; at = composedParent(at)) if (at === element) return true;
  for (let root = rootOf.call(element); root instanceof ShadowRoot; root = rootOf.call(root.host)) {
    if (root.host === met) return true;
  }
  return false;
}

type Send = (kind: 'mouse' | 'pointer' | 'touch' | 'focus' | 'plain', type: string, init?: object) => void;

function sender(element: Element, at: { readonly x: number; readonly y: number }): Send {
  const common = { bubbles: true, cancelable: true, composed: true, view: window, clientX: at.x, clientY: at.y };
  const pointer = { ...common, pointerId: 1, pointerType: 'mouse', isPrimary: true };
  return (kind, type, init = {}) => {
    dispatch.call(element, made());
    function made(): Event {
      if (kind === 'focus') return new FocusEvent(type, { composed: true, view: window, ...init });
      if (kind === 'plain') return new Event(type, { bubbles: true, composed: true, ...init });
      if (kind === 'touch') return touchEvent(element, type, at);
      if (kind === 'pointer' || type === 'click') return new PointerEvent(type, { ...pointer, ...init });
      return new MouseEvent(type, { ...common, ...init });
    }
  };
}

function touchEvent(target: Element, type: string, at: { readonly x: number; readonly y: number }): Event {
  const touch = new Touch({ identifier: 1, target, clientX: at.x, clientY: at.y });
  const touches = type === 'touchend' ? [] : [touch];
  return new TouchEvent(type, { bubbles: true, cancelable: true, composed: true, touches, changedTouches: [touch] });
}

function press(element: Element, send: Send): void {
  send('pointer', 'pointerdown', { buttons: 1 });
  send('touch', 'touchstart');
  send('mouse', 'mousedown', { buttons: 1, detail: 1 });
  if (element instanceof HTMLElement) focusOn.call(element, { preventScroll: true });
  send('pointer', 'pointerup');
  send('touch', 'touchend');
  send('mouse', 'mouseup', { detail: 1 });
}

function hover(send: Send): void {
  const inner = { bubbles: false, cancelable: false };
  send('pointer', 'pointerover');
  send('pointer', 'pointerenter', inner);
  send('mouse', 'mouseover');
  send('mouse', 'mouseenter', inner);
  send('pointer', 'pointermove');
  send('mouse', 'mousemove');
}

/** A page that is not in front gets no focus events of its own. */
function focus(element: Element, send: Send): void {
  let heard = false;
  const hear = (): void => void (heard = true);
  element.addEventListener('focus', hear, { once: true });
  if (element instanceof HTMLElement || element instanceof SVGElement) focusOn.call(element, { preventScroll: true });
  element.removeEventListener('focus', hear);
  if (heard) return;
  send('focus', 'focus');
  send('focus', 'focusin', { bubbles: true });
}

function strike(element: Element, turn: number): void {
  if (element === document.documentElement) {
    for (const shortcut of SHORTCUTS[turn] ?? []) type(document.body ?? element, shortcut);
    return;
  }
  if (element instanceof HTMLElement) focusOn.call(element, { preventScroll: true });
  type(element, KEYS[turn] ?? KEYS[0]);
}

function type(target: Element, [key, code, keyCode]: Key): void {
  const ctrlKey = code === 'KeyK';
  for (const event of ['keydown', 'keypress', 'keyup']) {
    if (event === 'keypress' && (key.startsWith('Arrow') || ctrlKey)) continue;
    const common = { bubbles: true, cancelable: true, composed: true, view: window };
    dispatch.call(target, new KeyboardEvent(event, { key, code, keyCode, which: keyCode, ctrlKey, ...common }));
  }
}

function hold(element: Element, send: Send, turn: number): void {
  if (turn === 0) {
    send('pointer', 'pointerdown', { buttons: 1 });
    send('touch', 'touchstart');
    send('mouse', 'mousedown', { buttons: 1, detail: 1 });
    return;
  }
  send('mouse', 'contextmenu', { button: 2, buttons: 2 });
  // let go some way to the left: what can be dragged or swiped shows what comes next
  const { left, top, width, height } = rectOf.call(element);
  for (const way of [SWIPE / 2, SWIPE]) {
    const moved = sender(element, { x: left + width / 2 - way, y: top + height / 2 });
    moved('pointer', 'pointermove', { buttons: 1 });
    moved('touch', 'touchmove');
    moved('mouse', 'mousemove', { buttons: 1 });
    if (way < SWIPE) continue;
    moved('pointer', 'pointerup');
    moved('touch', 'touchend');
    moved('mouse', 'mouseup', { detail: 1 });
  }
}

const selectedIndex = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'selectedIndex')?.set;

/** @returns whether there is such a choice */
function choose(element: Element, send: Send, turn: number): boolean {
  const choice = choicesOf(element)[turn];
  if (!(element instanceof HTMLSelectElement) || choice === undefined || selectedIndex === undefined) return false;
  Reflect.apply(selectedIndex, element, [choice.index]);
  send('plain', 'input');
  send('plain', 'change');
  return true;
}

/** Leaves an opened menu or dialog the way that most understand. */
export function escape(): void {
  const focused = document.activeElement ?? document.body;
  const init = {
    key: 'Escape',
    code: 'Escape',
    keyCode: 27,
    which: 27,
    bubbles: true,
    cancelable: true,
    composed: true,
  };
  for (const target of new Set([focused, document.body])) {
    if (target === null) continue;
    for (const type of ['keydown', 'keyup']) dispatch.call(target, new KeyboardEvent(type, init));
  }
}
