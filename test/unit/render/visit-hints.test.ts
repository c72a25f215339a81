import { describe, expect, test } from 'vitest';
import { VisitHints } from '../../../src/render/idle/visit-hints.ts';

const PAGE = 'https://example.org/item/1';
const LIKE = 'https://example.org/item/2';
const OTHER = 'https://example.org/list/1';
const POLL = 'https://example.org/api/wait?since=3';

describe('what a visit teaches', () => {
  test('holds for pages of its pattern, and for no others', () => {
    const hints = new VisitHints();
    hints.of(PAGE).triedRealClock(false);
    expect(hints.of(LIKE).needsRealClock).toBe(true);
    expect(hints.of(OTHER).needsRealClock).toBe(false);
  });

  test('a page that hangs in real time as well is not tried twice again', () => {
    const hints = new VisitHints();
    hints.of(PAGE).triedRealClock(true);
    expect(hints.of(LIKE)).toMatchObject({ needsRealClock: false, mayTryRealClock: false });
  });

  test('an effort that brought nothing twice is left out, but for one visit in twenty', () => {
    const hints = new VisitHints();
    for (let visit = 0; visit < 2; visit++) {
      expect(hints.of(PAGE).isWorth('frames')).toBe(true);
      hints.of(PAGE).learn('frames', false);
    }
    const worth = Array.from({ length: 40 }, () => hints.of(LIKE).isWorth('frames'));
    expect(worth.filter(Boolean)).toHaveLength(2);
    expect(hints.of(LIKE).isWorth('patience')).toBe(true);
  });

  test('one gain makes an effort worth while again', () => {
    const hints = new VisitHints().of(PAGE);
    for (const gained of [false, false, true]) hints.learn('real-time', gained);
    expect(hints.isWorth('real-time')).toBe(true);
  });

  test('a long poll is known to the whole host, whatever its query', () => {
    const hints = new VisitHints();
    hints.of(PAGE).hung('unanswered', POLL);
    expect(hints.of(OTHER).hangs('unanswered', 'https://example.org/api/wait?since=4')).toBe(true);
    expect(hints.of(OTHER).hangs('unread', POLL)).toBe(false);
    expect(hints.of('https://other.org/').hangs('unanswered', POLL)).toBe(false);
  });

  test('an answer takes it back', () => {
    const hints = new VisitHints().of(PAGE);
    hints.hung('unanswered', POLL);
    hints.answered('unanswered', POLL);
    expect(hints.hangs('unanswered', POLL)).toBe(false);
  });

  test('what is known is bounded, and what was used last stays', () => {
    const hints = new VisitHints();
    hints.of('https://kept.org/').triedRealClock(false);
    for (let host = 0; host < 3000; host++) {
      const name = String.fromCharCode(
        97 + (host % 26),
        97 + (Math.floor(host / 26) % 26),
        97 + Math.floor(host / 676),
      );
      hints.of(`https://${name}.org/`).triedRealClock(false);
      if (host % 100 === 0) hints.of('https://kept.org/');
    }
    expect(hints.of('https://kept.org/').needsRealClock).toBe(true);
    expect(hints.of('https://aaa.org/').needsRealClock).toBe(false);
  });
});
