/** Maps a script's name of a key to the key press. Pure. */
import type { KeyPress } from '../../model/page-actions.ts';

type Named = readonly [key: string, code: string, keyCode: number];

const NAMED: readonly Named[] = [
  ['Enter', 'Enter', 13],
  ['Tab', 'Tab', 9],
  ['Escape', 'Escape', 27],
  [' ', 'Space', 32],
  ['PageUp', 'PageUp', 33],
  ['PageDown', 'PageDown', 34],
  ['End', 'End', 35],
  ['Home', 'Home', 36],
  ['ArrowLeft', 'ArrowLeft', 37],
  ['ArrowUp', 'ArrowUp', 38],
  ['ArrowRight', 'ArrowRight', 39],
  ['ArrowDown', 'ArrowDown', 40],
  ['Insert', 'Insert', 45],
  ['ContextMenu', 'ContextMenu', 93],
  ...Array.from({ length: 12 }, (_, at): Named => [`F${at + 1}`, `F${at + 1}`, 112 + at]),
  [';', 'Semicolon', 186],
  ['=', 'Equal', 187],
  ['+', 'Equal', 187],
  [',', 'Comma', 188],
  ['-', 'Minus', 189],
  ['.', 'Period', 190],
  ['/', 'Slash', 191],
  ['?', 'Slash', 191],
  ['`', 'Backquote', 192],
  ['[', 'BracketLeft', 219],
  ['\\', 'Backslash', 220],
  [']', 'BracketRight', 221],
];
/** Other names of these keys; Delete and Backspace are left out: they take something away. */
const ALIASES: Readonly<Record<string, string>> = {
  esc: 'Escape',
  space: ' ',
  spacebar: ' ',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
  return: 'Enter',
  slash: '/',
  plus: '+',
  'page-up': 'PageUp',
  'page-down': 'PageDown',
  'arrow-left': 'ArrowLeft',
  'arrow-right': 'ArrowRight',
  'arrow-up': 'ArrowUp',
  'arrow-down': 'ArrowDown',
};
const BY_NAME: ReadonlyMap<string, Named> = new Map(
  NAMED.flatMap((named) => [named[0].toLowerCase(), named[1].toLowerCase()].map((name) => [name, named] as const)),
);
const BY_NUMBER: ReadonlyMap<number, Named> = new Map([...NAMED].reverse().map((named) => [named[2], named]));
/** `window`, `prevent` and the like in `@keydown.window.prevent.g`. */
const WORDS = /^(?:window|document|prevent|stop|once|self|capture|passive|exact|global|outside|camel|dot)$/;
const MODIFIERS: Readonly<Record<string, 'ctrl' | 'alt' | 'shift'>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  meta: 'ctrl',
  cmd: 'ctrl',
  command: 'ctrl',
  mod: 'ctrl',
  $mod: 'ctrl',
  alt: 'alt',
  option: 'alt',
  shift: 'shift',
};

/**
 * @param name as a script has it: `g`, `KeyG`, `71`, `ArrowUp`, `arrow-up`, `ctrl+k`, `.window.ctrl.k`
 * @param modifiers that are asked for beside it: `ctrl`, `shift`
 * @returns null where it is no key, and for keys that take something away
 */
export function keyPressOf(name: string, modifiers: readonly string[] = []): KeyPress | null {
  const parts =
    name.length === 1
      ? [name]
      : name
          .trim()
          .split(/\s?\+\s?|\./)
          .filter(Boolean);
  const last = parts.findLast((part) => !WORDS.test(part) && !(part.toLowerCase() in MODIFIERS));
  const named = last === undefined ? null : namedOf(last);
  if (named === null) return null;
  const held = new Set([...modifiers, ...parts].map((part) => MODIFIERS[part.toLowerCase()]));
  const [key, code, keyCode] = named;
  const shift = held.has('shift') || /^[A-Z]$/.test(key);
  return { key, code, keyCode, ctrl: held.has('ctrl'), alt: held.has('alt'), shift };
}

function namedOf(name: string): Named | null {
  if (/^\d{2,3}$/.test(name)) return numbered(Number(name));
  const letter = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(name)?.[1]?.toLowerCase() ?? name;
  if (/^[a-z]$/i.test(letter)) return [letter, `Key${letter.toUpperCase()}`, letter.toUpperCase().charCodeAt(0)];
  if (/^\d$/.test(letter)) return [letter, `Digit${letter}`, letter.charCodeAt(0)];
  const known = name.toLowerCase();
  return BY_NAME.get((ALIASES[known] ?? known).toLowerCase()) ?? null;
}

function numbered(code: number): Named | null {
  const character = String.fromCharCode(code).toLowerCase();
  if (/^[a-z\d]$/.test(character) && code <= 90) return namedOf(character);
  return BY_NUMBER.get(code) ?? null;
}
