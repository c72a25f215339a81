import { expect, test } from 'vitest';
import { comparedKeys } from '../../../../src/core/interaction/compared-keys.ts';

const keys = (script: string): string[] =>
  comparedKeys(script).map(
    ({ key, ctrl, alt, shift }) => `${ctrl ? 'ctrl ' : ''}${alt ? 'alt ' : ''}${shift ? 'shift ' : ''}${key}`,
  );

test.each([
  [`if (event.key === 'g') go()`, ['g']],
  [`"x"===e.key&&t()`, ['x']],
  ['`Enter` == ev.key', ['Enter']],
  [`e.code === "KeyB"`, ['b']],
  [`e.code === "Digit3"`, ['3']],
  [`if(e.keyCode==71)`, ['g']],
  [`27===t.which`, ['Escape']],
  [`({ key }) => key === 'ArrowUp'`, ['ArrowUp']],
  [`switch (e.key) { case 'a': one(); break; case "PageDown": two() }`, ['a', 'PageDown']],
  [`switch(e.keyCode){case 37:l();case 39:r()}`, ['ArrowLeft', 'ArrowRight']],
  [`['j','k'].includes(e.key)`, ['j', 'k']],
  [`(e.ctrlKey || e.metaKey) && e.key === 'k'`, ['ctrl k']],
  [`e.key === 'N' && e.shiftKey`, ['shift N']],
  [`!e.ctrlKey && !e.altKey && e.key === 'r'`, ['r']],
  [`Mousetrap.bind('ctrl+shift+p', f)`, ['ctrl shift p']],
  [`hotkeys('alt+q', f)`, ['alt q']],
  [`tinykeys(window, { "$mod+KeyD": f })`, ['ctrl d']],
  [`useHotkeys("?", help)`, ['?']],
  [`onKeydown:t(o,["enter"])`, ['Enter']],
  [`@keydown.window.prevent.slash open()`, ['/']],
  [`keydown.ctrl.s@window->editor#save`, ['ctrl s']],
])('of %s the keys are %j', (script, expected) => expect(keys(script)).toEqual(expected));

test.each([
  `for (const key in map) if (key === 'title') return`,
  `e.key === t`,
  `e.which === 1`,
  `$(x).bind('click', f)`,
  `case 'a': thing()`,
  `code === 200`,
  `status === "KeyNotFound"`,
  `e.key === 'Delete' || e.key === 'Backspace'`,
  `if (e.key === 'q') logout()`,
  `if (e.key === 'd') deleteItem()`,
  '',
])('%s names no key that is struck', (script) => expect(keys(script)).toEqual([]));

test('a script that names every key names a few', () => {
  const all = Array.from({ length: 90 }, (_, at) => `e.key==='${String.fromCharCode(33 + at)}'`).join(';');
  expect(comparedKeys(all)).toHaveLength(24);
});
