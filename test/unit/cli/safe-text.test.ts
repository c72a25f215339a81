import { describe, expect, test } from 'vitest';
import { cutForTerminal, safeText } from '../../../src/cli/terminal/safe-text.ts';

describe('text for a terminal', () => {
  test.each([
    ['colour', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['cursor movement', 'a\u001b[2J\u001b[Hb', 'ab'],
    ['window title', '\u001b]0;evil\u0007ok', 'ok'],
    ['hyperlink', '\u001b]8;;http://evil/\u0007text\u001b]8;;\u0007', 'text'],
    ['C1 introducer', 'a\u009b31mb', 'ab'],
    ['bell and backspace', 'a\u0007\b\bb', 'ab'],
    ['line feeds', 'a\nerror  faked line\r\nb', 'a error  faked line b'],
    ['line separators', 'a\u2028b\u2029c\u0085d', 'a b c d'],
    ['right-to-left override', 'http://x/\u202egpj.exe', 'http://x/gpj.exe'],
    ['isolates', '\u2066a\u2069', 'a'],
    ['marks of direction', '\u200ea\u200fb\u061cc', 'abc'],
    ['zero width', 'a\u200bb\ufeffc', 'abc'],
    ['tag characters', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
    ['lone surrogates', 'a\ud800b', 'ab'],
    ['delete', 'a\u007fb', 'ab'],
    ['commands of runners', 'a ##[add-mask]b ##vso[task.x]c', 'a # #[add-mask]b # #vso[task.x]c'],
    ['those that controls hide', 'a #\u200b#[error]b', 'a # #[error]b'],
    ['those at the start of a line', ' ::stop-commands::x', ' : :stop-commands::x'],
    ['nothing of headings and of elements of CSS', '## a [b] ::before { } ###', '## a [b] ::before { } ###'],
    ['nothing harmful', 'Grüße, 世界 🕷', 'Grüße, 世界 🕷'],
  ])('loses %s', (_what, hostile, safe) => {
    expect(safeText(hostile)).toBe(safe);
  });

  test('holds no control character whatever it is made from', () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');
    expect(safeText(all)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

test('cut text says that it is cut and is never longer than the width', () => {
  expect(cutForTerminal('abcdef', 6)).toBe('abcdef');
  expect(cutForTerminal('abcdefg', 6)).toBe('abcde…');
  expect(cutForTerminal('abc', 1)).toBe('…');
});
