/** Acts on an element as a person would, by events from our world: the page receives them and cannot see who sent them. */
import type { ActInput, ActResult } from '../../src/model/page-actions.ts';
import { choicesOf } from './choices.ts';
import { composedParent } from './composed-tree.ts';
import { elementOf, markUsed } from './control-keys.ts';
import { enterInto } from './enter.ts';
import { strike } from './key-strokes.ts';
import { bodyOf, documentElementOf } from './safe-dom.ts';

const dispatch = EventTarget.prototype.dispatchEvent;
const focusOn = HTMLElement.prototype.focus;
const blurOf = HTMLElement.prototype.blur;
const elementAt = Document.prototype.elementFromPoint;
const rootOf = Node.prototype.getRootNode;
const rectOf = Element.prototype.getBoundingClientRect;
const scrollTo = Element.prototype.scrollIntoView;

/** Pixels that a wheel turns by at a time. */
const NOTCH = 120;
/** Pixels; libraries ask for 10 to 50. */
const SWIPE = 80;

/** A second call, with `turn` 1, ends an action that is held down. */
export function act({ key, action, turn, keys }: ActInput): ActResult {
  const element = elementOf(key);
  if (element === null) return { end: 'gone', x: 0, y: 0 };
  if (isDisabled(element)) return { end: 'idle', x: 0, y: 0 };
  const { left, top, width, height } = rectOf.call(element);
  const at = { x: left + width / 2, y: top + height / 2 };
  const send = sender(element, at);
  if (action !== 'open') markUsed(element);
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
      return { end: strike(element, turn, keys) ? 'done' : 'idle', ...at };
    case 'leave':
      leave(element, send);
      break;
    case 'blur':
      focus(element, send);
      blur(element, send);
      break;
    case 'wheel':
      turnWheel(element);
      break;
    case 'drag':
      drag(element);
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

/** A person cannot use a disabled element, though it would receive our events. */
function isDisabled(element: Element): boolean {
  return matches.call(element, ':disabled,[aria-disabled="true" i],[inert],[inert] *');
}

/** Scrolls to the element. A person cannot use it if a press in its middle would hit something else: anything may lie above it. */
function bringToView(element: Element): ActResult {
  scrollTo.call(element, { block: 'center', inline: 'center', behavior: 'instant' });
  const { left, top, width, height } = rectOf.call(element);
  const [x, y] = [left + width / 2, top + height / 2];
  const met = width > 0 && height > 0 ? elementAt.call(document, x, y) : null;
  return { end: met !== null && isMet(element, met) ? 'done' : 'idle', x, y };
}

/** @param met an element of the document's own tree: for one in a shadow tree, its host */
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

/** Moves over the element and off it, to empty space; off the page by its upper edge, as a person does who closes the page. */
function leave(element: Element, send: Send): void {
  const isPage = element === documentElementOf(document);
  const edge = isPage ? { clientY: -1 } : {};
  const inner = { bubbles: false, cancelable: false, ...edge };
  if (!isPage) hover(send);
  send('pointer', 'pointerout', edge);
  send('pointer', 'pointerleave', inner);
  send('mouse', 'mouseout', edge);
  send('mouse', 'mouseleave', inner);
  if (!isPage) return;
  dispatch.call(document, new MouseEvent('mouseleave', { ...inner, view: window }));
  dispatch.call(document, new PointerEvent('pointerleave', { ...inner, view: window }));
}

function blur(element: Element, send: Send): void {
  if (element === documentElementOf(document)) dispatch.call(window, new FocusEvent('blur', { view: window }));
  let isBlurred = false;
  const onBlur = (): void => void (isBlurred = true);
  element.addEventListener('blur', onBlur, { once: true });
  if (element instanceof HTMLElement || element instanceof SVGElement) blurOf.call(element);
  element.removeEventListener('blur', onBlur);
  if (isBlurred) return;
  send('focus', 'blur');
  send('focus', 'focusout', { bubbles: true });
}

/** Turns the wheel one notch down and one across. */
function turnWheel(element: Element): void {
  const target = element === documentElementOf(document) ? (bodyOf(document) ?? element) : element;
  const common = { bubbles: true, cancelable: true, composed: true, view: window, deltaMode: 0 };
  for (const deltas of [{ deltaY: NOTCH }, { deltaX: NOTCH }]) {
    for (const type of ['wheel', 'mousewheel']) dispatch.call(target, new WheelEvent(type, { ...common, ...deltas }));
  }
}

/** Picks the element up, holds it over itself and drops it there. */
function drag(element: Element): void {
  const target = element === documentElementOf(document) ? (bodyOf(document) ?? element) : element;
  const common = { bubbles: true, cancelable: true, composed: true, view: window, dataTransfer: new DataTransfer() };
  for (const type of ['dragstart', 'drag', 'dragenter', 'dragover', 'drop', 'dragend', 'dragleave'])
    dispatch.call(target, new DragEvent(type, common));
}

/** Sends the focus events itself where the browser sends none: a page that is not in front gets none. */
function focus(element: Element, send: Send): void {
  let focused = false;
  const onFocus = (): void => void (focused = true);
  element.addEventListener('focus', onFocus, { once: true });
  if (element instanceof HTMLElement || element instanceof SVGElement) focusOn.call(element, { preventScroll: true });
  element.removeEventListener('focus', onFocus);
  if (focused) return;
  send('focus', 'focus');
  send('focus', 'focusin', { bubbles: true });
}

function hold(element: Element, send: Send, turn: number): void {
  if (turn === 0) {
    send('pointer', 'pointerdown', { buttons: 1 });
    send('touch', 'touchstart');
    send('mouse', 'mousedown', { buttons: 1, detail: 1 });
    return;
  }
  send('mouse', 'contextmenu', { button: 2, buttons: 2 });
  send('pointer', 'auxclick', { button: 1, buttons: 4 });
  // let go some way to the left: an element that can be dragged or swiped shows its next content
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

/** Closes an open menu or dialog with Escape, the key that most of them obey. */
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
