import { describe, expect, test } from 'vitest';
import type { Variables } from '../../../src/cli/flags/environment.ts';
import { COLOURED, PLAIN } from '../../../src/cli/terminal/paint.ts';
import { paintFor, Terminal } from '../../../src/cli/terminal/terminal.ts';

function recorded(isTTY: boolean, variables: Variables = {}) {
  let written = '';
  const output = { write: (text: string) => (written += text), isTTY, columns: 80 };
  return { terminal: new Terminal(output, variables), text: () => written };
}

const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** The visible text after the codes have taken effect: carriage return with erase clears the line. */
function screen(written: string): string[] {
  return written
    .split('\n')
    .map((line) => line.split('\r\u001b[2K').at(-1) ?? '')
    .map((line) => line.replaceAll(NO_WRAP, '').replaceAll(WRAP, ''));
}

describe('a terminal', () => {
  test('keeps the live line below what is printed', () => {
    const { terminal, text } = recorded(true);
    terminal.showLive('1 page');
    terminal.print('failed  a');
    terminal.showLive('2 pages');
    expect(screen(text())).toEqual(['failed  a', '2 pages']);
  });

  test('leaves no live line behind', () => {
    const { terminal, text } = recorded(true);
    terminal.showLive('1 page');
    terminal[Symbol.dispose]();
    terminal.print('done');
    expect(screen(text())).toEqual(['done', '']);
  });

  test('writes nothing twice for a line that did not change', () => {
    const { terminal, text } = recorded(true);
    terminal.showLive('1 page');
    const before = text();
    terminal.showLive('1 page');
    expect(text()).toBe(before);
  });

  test('switches automatic wrap back on each time', () => {
    const { terminal, text } = recorded(true);
    terminal.showLive('1 page');
    terminal.print('a');
    expect(text().split(NO_WRAP).length).toBe(text().split(WRAP).length);
    expect(text().lastIndexOf(WRAP)).toBeGreaterThan(text().lastIndexOf(NO_WRAP));
  });

  test.each([
    ['where there is none', false, {}],
    ['that is dumb', true, { TERM: 'dumb' }],
    ['of a build server', true, { CI: 'true' }],
  ])('%s gets no live line', (_what, isTTY, variables) => {
    const { terminal, text } = recorded(isTTY, variables);
    terminal.showLive('1 page');
    terminal.clearLive();
    expect(terminal.isLive).toBe(false);
    expect(text()).toBe('');
  });

  test.each([
    [true, {}, COLOURED],
    [false, {}, PLAIN],
    [true, { NO_COLOR: '1' }, PLAIN],
    [true, { NO_COLOR: '' }, COLOURED],
    [true, { TERM: 'dumb' }, PLAIN],
    [false, { FORCE_COLOR: '1' }, COLOURED],
    [true, { FORCE_COLOR: '0' }, COLOURED],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, PLAIN],
  ])('with isTTY %s and %j is coloured as it should be', (isTTY, variables, paint) => {
    expect(paintFor({ write: () => {}, isTTY }, variables)).toBe(paint);
  });
});
