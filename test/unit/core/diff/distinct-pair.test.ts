import { describe, expect, it } from 'vitest';
import { distinctPair } from '../../../../src/core/diff/distinct-pair.ts';
import { wordChange } from '../../../../src/core/diff/word-change.ts';

describe('two values that look the same', () => {
  it.each([
    ['zero width', 'Freq\u200buently', 'Frequently', 'Freq‹U+200B›uently', 'Frequently'],
    ['a blank that does not break', 'A\u00a0loom', 'A loom', 'A‹U+00A0›loom', 'A loom'],
    ['one character, or two', 'caf\u00e9', 'cafe\u0301', 'caf\u00e9', 'cafe‹U+0301›'],
    ['a direction', '\u200eLoom', 'Loom', '‹U+200E›Loom', 'Loom'],
  ])('have their invisible characters named: %s', (_, before, after, old, now) => {
    expect(distinctPair(before, after)).toEqual([old, now]);
    expect(distinctPair(after, before)).toEqual([now, old]);
  });

  it('are left as they are where they look different', () => {
    const pair = ['\u{1f469}\u200d\u{1f4bb} at work', '\u{1f469}\u200d\u{1f4bb} at rest'] as const;
    expect(distinctPair(...pair)).toEqual(pair);
  });

  it('are told apart within a passage', () => {
    expect(wordChange('A Fre\u00adquent question', 'A Frequent question').shown).toBe(
      'A [-Fre‹U+00AD›quent-] {+Frequent+} question',
    );
  });
});
