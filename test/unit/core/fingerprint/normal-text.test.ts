import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalText, TIME_TOKEN } from '../../../../src/core/fingerprint/normal-text.ts';

const shown = (text: string): string => normalText(text).replaceAll(TIME_TOKEN, '<time>');

describe('normalText', () => {
  it.each([
    ['  Two\t\n words\u00a0 ', 'two words'],
    ['ＦＵＬＬ ﬁt ①', 'full fit 1'],
    ['zero\u200bwidth soft\u00adhyphen', 'zero width soft hyphen'],
    ['İstanbul ΣΑΣ', 'i̇stanbul σας'],
    ['', ''],
  ])('folds %j to %j', (text, normal) => {
    expect(normalText(text)).toBe(normal.normalize('NFKC'));
  });

  it.each([
    ['It is 12:30.', 'it is <time>.'],
    ['12:30:59 PM', '<time>'],
    ['at 9:05 a.m.', 'at <time>'],
    ['2026-01-02', '<time>'],
    ['2026-01-02T03:04:05.678Z', '<time>'],
    ['2026/1/2 03:04', '<time>'],
    ['on 31.12.2025, 23:59', 'on <time>'],
    ['12/31/2025', '<time>'],
    ['Jan 5, 2026 at 10:00', '<time>'],
    ['5 January 2026', '<time>'],
    ['September 5th', '<time>'],
    ['3 minutes ago, an hour ago, just now', '<time>, <time>, <time>'],
    ['2026年1月5日', '<time>'],
    ['3分钟前 5時間前', '<time> <time>'],
  ])('puts one token for the moment in %j', (text, normal) => {
    expect(shown(text)).toBe(normal);
  });

  it.each([
    'costs 12.50 €',
    'only 1,299.00 left',
    'version 1.2.3',
    'isbn 978-3-16-148410-0',
    '10-20 people',
    '2026',
    'score 3:2',
    '5 marched on',
    '100:30000',
    'dismay 12',
  ])('keeps the digits of %j', (text) => {
    expect(shown(text)).toBe(text.normalize('NFKC'));
  });

  it('gives a normal text back as it is', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      ' ',
      '12',
      ':',
      '30',
      '-',
      '2026',
      '/',
      ' jan ',
      ' ago',
      'ß',
      'ﬀ',
      '\u0345',
      'İ',
      '年',
      'z',
      '+',
      '.',
      'pm',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const once = normalText(text);
          expect(normalText(once)).toBe(once);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
