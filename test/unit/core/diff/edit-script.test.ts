import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editScript } from '../../../../src/core/diff/edit-script.ts';
import { wordChange } from '../../../../src/core/diff/word-change.ts';

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });

/** Length of the longest common subsequence, by the textbook table. */
function common(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const item of one) {
    const next = [0];
    for (const [at, each] of other.entries())
      next.push(item === each ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('an edit script', () => {
  it('makes the one list out of the other, with as few edits as can be', () => {
    fc.assert(
      fc.property(list, list, (old, now) => {
        const hunks = editScript(old, now);
        const made: string[] = [];
        let at = 0;
        let edits = 0;
        for (const { oldFrom, oldTo, newFrom, newTo } of hunks) {
          made.push(...old.slice(at, oldFrom), ...now.slice(newFrom, newTo));
          edits += oldTo - oldFrom + newTo - newFrom;
          at = oldTo;
        }
        expect([...made, ...old.slice(at)]).toEqual(now);
        expect(edits).toBe(old.length + now.length - 2 * common(old, now));
      }),
    );
  });

  it('takes what differs in too much for one stretch', () => {
    const old = Array.from({ length: 5000 }, (_, at) => `old ${at}`);
    const now = Array.from({ length: 5000 }, (_, at) => `now ${at}`);
    expect(editScript(['same', ...old], ['same', ...now])).toEqual([
      { oldFrom: 1, oldTo: 5001, newFrom: 1, newTo: 5001 },
    ]);
  });
});

describe('a change of words', () => {
  it('shows what went and came among a few words around', () => {
    const before = 'one two three four five six seven the price is 12 euro a piece and so on and so on for ever';
    expect(wordChange(before, before.replace('12', '14')).shown).toBe(
      '… five six seven the price is [-12-] {+14+} euro a piece and so on …',
    );
  });

  it('has the same key on another page', () => {
    expect(wordChange('A page of 2025', 'A page of 2026').key).toBe(
      wordChange('Since 2025 here', 'Since 2026 here').key,
    );
  });
});
