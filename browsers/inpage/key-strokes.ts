/** Presses keys on an element or on the page as a whole: the usual keys, and those that the page's scripts compare with. */
import type { KeyPress } from '../../src/model/page-actions.ts';
import { bodyOf, documentElementOf } from './safe-dom.ts';

const dispatch = EventTarget.prototype.dispatchEvent;
const focusOn = HTMLElement.prototype.focus;

type Key = readonly [key: string, code: string, keyCode: number];
const pressOf = ([key, code, keyCode]: Key): KeyPress => ({
  ...{ key, code, keyCode, alt: false, shift: false },
  // Ctrl+K opens a search or a palette
  ctrl: code === 'KeyK',
});

/** Keys for an element, one in each turn. */
const KEYS: readonly KeyPress[] = (
  [
    ['Enter', 'Enter', 13],
    [' ', 'Space', 32],
    ['ArrowDown', 'ArrowDown', 40],
  ] as const
).map(pressOf);
/** Shortcuts for the page as a whole, a few in each turn: the next one, a search, help, a palette. */
const SHORTCUTS: readonly (readonly KeyPress[])[] = (
  [
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
  ] as const
).map((keys) => keys.map(pressOf));

/** How many turns there are. @param compared how many keys the scripts of the page compare with */
export function keyTurnsOf(element: Element, compared: number): number {
  return isPage(element) ? SHORTCUTS.length + compared : KEYS.length + Math.min(1, compared);
}

/** @returns whether there is such a turn */
export function strike(element: Element, turn: number, compared: readonly KeyPress[]): boolean {
  if (isPage(element)) {
    const one = compared[turn - SHORTCUTS.length];
    const struck = SHORTCUTS[turn] ?? (one === undefined ? [] : [one]);
    for (const key of struck) type(bodyOf(document) ?? element, key);
    return struck.length > 0;
  }
  if (element instanceof HTMLElement) focusOn.call(element, { preventScroll: true });
  const usual = KEYS[turn];
  const struck = usual === undefined ? compared : [usual];
  for (const key of struck) type(element, key);
  return struck.length > 0;
}

function isPage(element: Element): boolean {
  return element === documentElementOf(document);
}

function type(target: Element, { key, code, keyCode, ctrl, alt, shift }: KeyPress): void {
  const held = { ctrlKey: ctrl, altKey: alt, shiftKey: shift };
  const common = { bubbles: true, cancelable: true, composed: true, view: window };
  const prints = (key.length === 1 || key === 'Enter') && !ctrl && !alt;
  for (const event of prints ? ['keydown', 'keypress', 'keyup'] : ['keydown', 'keyup'])
    dispatch.call(target, new KeyboardEvent(event, { key, code, keyCode, which: keyCode, ...held, ...common }));
}
