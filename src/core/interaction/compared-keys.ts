/**
 * Finds the keys that a script waits for, by its comparisons: `event.key === 'g'`, `case 'ArrowUp':`, `keyCode == 71`, and
 * by the usual libraries for shortcuts. Pure, and linear in the text.
 */
import type { KeyPress } from '../../model/page-actions.ts';
import { destructionOfMarks } from './destructive-action.ts';
import { keyPressOf } from './key-press.ts';

/** Characters of a text that are read. */
const READ = 1_000_000;
/** Keys that are read of one text. */
const KEYS = 24;
/** Characters around a comparison that are searched for modifiers and for the action. */
const NEAR = 100;
/** Characters after `switch (event.key)` that are searched for its cases. */
const SWITCH = 4000;

const PROPERTY = 'key|code|keyCode|which|charCode';
const NUMBERED = 'keyCode|which|charCode';
const QUOTED = '(["\'`])([^"\'`\\n]{1,20})\\1';
/** The second group of each is the name of a key, or its number. */
const COMPARISONS: readonly RegExp[] = [
  new RegExp(`\\b(?:${PROPERTY})\\s{0,3}={2,3}\\s{0,3}${QUOTED}`, 'g'),
  new RegExp(`${QUOTED}\\s{0,3}={2,3}\\s{0,3}[\\w$]{1,20}\\.(?:${PROPERTY})\\b`, 'g'),
  new RegExp(`\\b(${NUMBERED})\\s{0,3}={2,3}\\s{0,3}(\\d{2,3})\\b`, 'g'),
  new RegExp(`\\b()(\\d{2,3})\\s{0,3}={2,3}\\s{0,3}[\\w$]{1,20}\\.(?:${NUMBERED})\\b`, 'g'),
  // shortcuts of libraries: Mousetrap, hotkeys, keymaster, tinykeys, VueUse
  /\b(?:bind|hotkeys|useHotkeys|useKey|onKeyStroke|keymaster|addShortcut)\(\s{0,3}\[?\s{0,3}(["'`])([^"'`\n]{1,30})\1/g,
  /(["'`])((?:(?:ctrl|control|shift|alt|option|meta|cmd|command|\$?mod)\s?\+\s?){1,3}[^\s"'`+]{1,12})\1/gi,
  // Vue's templates, compiled and not; Alpine, Angular, Stimulus
  /,\s?\[(["'`])([a-z][a-z\d-]{0,11})\1\]\)/g,
  /\bkey(?:down|up|press)()((?:\.[\w-]{1,15}){1,5})/g,
];
const SWITCHES = new RegExp(`\\bswitch\\s{0,3}\\([^()\\n]{0,60}\\b(?:${PROPERTY})\\b[^{}]{0,20}\\{`, 'g');
const CASES = /\bcase\s{0,3}(?:(["'`])([^"'`\n]{1,20})\1|(\d{2,3}))\s{0,3}:/g;
const LISTS = new RegExp(`\\[([^\\[\\]\\n]{1,200})\\]\\.(?:includes|indexOf)\\([\\w$]{1,20}\\.(?:${PROPERTY})\\b`, 'g');
const LISTED = /(["'`])([^"'`\n]{1,20})\1/g;

/** @returns each key once, the first {@link KEYS} of them, without keys that would take something away */
export function comparedKeys(script: string): readonly KeyPress[] {
  const text = script.slice(0, READ);
  const found = new Map<string, KeyPress>();
  const add = (name: string, at: number, length: number): void => {
    const press = found.size < KEYS ? keyPressOf(name, modifiersNear(text, at, length)) : null;
    if (press === null || isDestructive(text, at + length)) return;
    found.set(`${press.key} ${press.ctrl} ${press.alt} ${press.shift}`, press);
  };
  for (const comparison of COMPARISONS) {
    for (const match of text.matchAll(comparison)) add(match[2] ?? '', match.index, match[0].length);
  }
  for (const { index, 0: head } of text.matchAll(SWITCHES)) {
    const body = text.slice(index + head.length, index + head.length + SWITCH);
    for (const match of body.matchAll(CASES))
      add(match[2] ?? match[3] ?? '', index + head.length + match.index, match[0].length);
  }
  for (const { index, 0: whole, 1: list = '' } of text.matchAll(LISTS)) {
    for (const [, , name = ''] of list.matchAll(LISTED)) add(name, index, whole.length);
  }
  return [...found.values()];
}

/** Modifiers in the same condition: `ctrlKey &&`, and not `!ctrlKey`. */
function modifiersNear(text: string, at: number, length: number): readonly string[] {
  const before =
    text
      .slice(Math.max(0, at - NEAR), at)
      .split(/[;{}?]/)
      .at(-1) ?? '';
  const after = text.slice(at + length, at + length + NEAR).split(/[;{}?]/, 1)[0] ?? '';
  const named = `${before} ${after}`.matchAll(/(!?)(?:[\w$]{1,20}\.)?(ctrl|meta|alt|shift)Key\b/g);
  return [...named].flatMap(([, not, name = '']) => (not === '!' ? [] : [name]));
}

/** Does the code right after the comparison sign out, or end something? */
function isDestructive(text: string, from: number): boolean {
  const done = text.slice(from, from + NEAR).split(/\bcase\b|\}|\bif\b/, 1)[0] ?? '';
  const destruction = destructionOfMarks(done);
  return destruction === 'signs out' || destruction === 'ends';
}
