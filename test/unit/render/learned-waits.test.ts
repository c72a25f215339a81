import { describe, expect, test } from 'vitest';
import { LearnedWaits } from '../../../src/render/idle/learned-waits.ts';

const PAGE = 'https://example.org/item/1';
const LIKE = 'https://example.org/item/2';
const OTHER = 'https://example.org/list/1';

describe('what a visit teaches', () => {
  test('holds for pages of its pattern, and for no others', () => {
    const learnedWaits = new LearnedWaits();
    learnedWaits.of(PAGE).triedRealClock(false);
    expect(learnedWaits.of(LIKE).needsRealClock).toBe(true);
    expect(learnedWaits.of(OTHER).needsRealClock).toBe(false);
  });

  test('a page that hangs in real time as well is not tried twice again', () => {
    const learnedWaits = new LearnedWaits();
    learnedWaits.of(PAGE).triedRealClock(true);
    expect(learnedWaits.of(LIKE)).toMatchObject({ needsRealClock: false, mayTryRealClock: false });
  });

  test('an effort that brought nothing twice is left out, but for one visit in twenty', () => {
    const learnedWaits = new LearnedWaits();
    for (let visit = 0; visit < 2; visit++) {
      expect(learnedWaits.of(PAGE).isWorth('frames')).toBe(true);
      learnedWaits.of(PAGE).learn('frames', false);
    }
    const worth = Array.from({ length: 40 }, () => learnedWaits.of(LIKE).isWorth('frames'));
    expect(worth.filter(Boolean)).toHaveLength(2);
    expect(learnedWaits.of(LIKE).isWorth('blank-page')).toBe(true);
  });

  test('one gain makes an effort worth while again', () => {
    const learnedWaits = new LearnedWaits().of(PAGE);
    for (const gained of [false, false, true]) learnedWaits.learn('real-time', gained);
    expect(learnedWaits.isWorth('real-time')).toBe(true);
  });

  test('what is known is bounded, and what was used last stays', () => {
    const learnedWaits = new LearnedWaits();
    learnedWaits.of('https://kept.org/').triedRealClock(false);
    for (let host = 0; host < 3000; host++) {
      const name = String.fromCharCode(
        97 + (host % 26),
        97 + (Math.floor(host / 26) % 26),
        97 + Math.floor(host / 676),
      );
      learnedWaits.of(`https://${name}.org/`).triedRealClock(false);
      if (host % 100 === 0) learnedWaits.of('https://kept.org/');
    }
    expect(learnedWaits.of('https://kept.org/').needsRealClock).toBe(true);
    expect(learnedWaits.of('https://aaa.org/').needsRealClock).toBe(false);
  });
});
