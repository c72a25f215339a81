import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/random.ts';
import { COMPONENTS, superMinHash } from '../../../../src/core/fingerprint/minhash.ts';
import { shinglesOf, tokenHashes } from '../../../../src/core/fingerprint/shingle.ts';
import { similarity, textSignature } from '../../../../src/core/fingerprint/signature.ts';
import { processorTime } from '../../../support/processor-time.ts';

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ');
const alike = (a: string, b: string): number => similarity(textSignature(a), textSignature(b));
const jaccard = (a: string, b: string): number => {
  const [left, right] = [shinglesOf(a), shinglesOf(b)];
  const shared = [...left].filter((shingle) => right.has(shingle)).length;
  return shared / (left.size + right.size - shared);
};

describe('shinglesOf', () => {
  it('of n different words are n - 4', () => {
    expect([0, 1, 4, 5, 6, 300].map((count) => shinglesOf(words(0, count)).size)).toEqual([0, 1, 1, 1, 2, 296]);
  });

  it.each([
    [300, 291 / 301],
    [30, 21 / 31],
  ])('of %d words, one of them changed in the middle, have similarity (S - 5) / (S + 5)', (count, expected) => {
    const text = words(0, count);
    expect(jaccard(text, text.replace(`word${count / 2} `, 'other '))).toBeCloseTo(expected, 10);
  });

  it('take every character of writing without spaces for a token', () => {
    expect(tokenHashes('東京都は日本の首都')).toHaveLength(9);
    expect(shinglesOf('東京都は日本の首都').size).toBe(5);
    expect(tokenHashes('カタカナ and ไทย 2 한국어')).toHaveLength(4 + 1 + 3 + 1 + 1);
  });

  it('do not mind punctuation, and mind the order', () => {
    expect(shinglesOf('one, two; three. four! five?')).toEqual(shinglesOf('one two three four five'));
    expect(shinglesOf('one two three four five')).not.toEqual(shinglesOf('two one three four five'));
  });

  it('roll: a shingle has the same hash wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 5, maxLength: 40 }), (numbers) => {
        const tokens = numbers.map((number) => `t${number}`);
        const rolled = shinglesOf(tokens.join(' '));
        const alone = tokens.slice(4).flatMap((_, index) => [...shinglesOf(tokens.slice(index, index + 5).join(' '))]);
        expect(rolled).toEqual(new Set(alone));
      }),
    );
  });
});

describe('superMinHash', () => {
  it('does not mind the order of a set', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 60 }), (elements) => {
        expect(superMinHash(elements.toReversed())).toEqual(superMinHash(elements));
      }),
    );
  });

  it('always gives the same numbers, for signatures are kept', () => {
    expect(Array.from(superMinHash([1, 2, 3]).subarray(0, 4))).toEqual([783574628, 1694897498, 3988328323, 3657619240]);
  });

  it.each([0.5, 0.7, 0.8, 0.9, 0.95])(
    'estimates a similarity of %d without bias',
    (similar) => {
      const random = seededRandom(Math.round(similar * 100));
      const fresh = (count: number): number[] => Array.from({ length: count }, () => Math.floor(random() * 2 ** 32));
      const union = 400;
      const shared = Math.round(union * similar);
      const pairs = 1000;
      let sum = 0;
      let squares = 0;
      for (let pair = 0; pair < pairs; pair += 1) {
        const common = fresh(shared);
        const half = (union - shared) / 2;
        const a = superMinHash([...common, ...fresh(half)]);
        const b = superMinHash([...fresh(half), ...common]);
        const estimate = a.filter((component, index) => component === b[index]).length / COMPONENTS;
        sum += estimate;
        squares += estimate ** 2;
      }
      const mean = sum / pairs;
      const deviation = Math.sqrt(squares / pairs - mean ** 2);
      const minHash = Math.sqrt((similar * (1 - similar)) / COMPONENTS);
      expect(Math.abs(mean - similar)).toBeLessThan(0.005);
      // Never worse than MinHash; better here, as the set is only three times as large as the signature.
      expect(deviation).toBeLessThan(minHash * 1.03);
      expect(deviation).toBeGreaterThan(minHash * 0.7);
    },
    20_000,
  );

  it('uses all components alike', () => {
    const random = seededRandom(7);
    const agreed = new Float64Array(COMPONENTS);
    const pairs = 1000;
    for (let pair = 0; pair < pairs; pair += 1) {
      const common = Array.from({ length: 50 }, () => Math.floor(random() * 2 ** 32));
      const own = () => Array.from({ length: 25 }, () => Math.floor(random() * 2 ** 32));
      const a = superMinHash([...common, ...own()]);
      const b = superMinHash([...common, ...own()]);
      for (const [index, component] of a.entries())
        if (component === b[index]) agreed[index] = (agreed[index] ?? 0) + 1;
    }
    const variance = 1 / (pairs * 0.25);
    const chiSquared = agreed.reduce((sum, count) => sum + (count / pairs - 0.5) ** 2 / variance, 0);
    // 128 degrees of freedom: mean 128, standard deviation 16.
    expect(chiSquared).toBeLessThan(128 + 4 * 16);
  });
});

describe('similarity', () => {
  it('of a text and itself is 1, of different ones near 0', () => {
    expect(alike(words(0, 300), words(0, 300))).toBe(1);
    expect(alike(words(0, 300), words(1000, 300))).toBeLessThan(0.05);
  });

  it('does not mind what changes with time', () => {
    const page = (time: string): string => `${words(0, 40)} posted ${time} ${words(40, 40)}`;
    expect(alike(page('3 minutes ago'), page('2026-01-02'))).toBe(1);
    expect(alike(page('12:30'), page('9:05 pm'))).toBe(1);
  });

  it('of a page of 30 words with another price is no near-duplicate', () => {
    const page = (price: string): string => `${words(0, 15)} costs ${price} today ${words(15, 15)}`;
    expect(alike(page('12.50'), page('13.50'))).toBeLessThan(0.9);
  });

  it('of a page of 300 words with one other word is a near-duplicate', () => {
    expect(alike(words(0, 300), words(0, 300).replace('word150 ', 'other '))).toBeGreaterThan(0.9);
  });

  it('of short texts is 1 or 0', () => {
    expect(alike(words(0, 10), words(0, 10))).toBe(1);
    expect(alike(words(0, 20), words(0, 21))).toBe(0);
  });

  it('of texts without words is 0: nothing is known of them', () => {
    expect([alike('', ''), alike('', 'word'), alike('… — !', '?')]).toEqual([0, 0, 0]);
  });

  it('finds edited Chinese text alike', () => {
    const random = seededRandom(3);
    const text = Array.from({ length: 800 }, () => String.fromCodePoint(0x4e00 + Math.floor(random() * 3000))).join('');
    expect(alike(text, `${text.slice(0, 400)}新${text.slice(400)}`)).toBeGreaterThan(0.95);
  });

  it('is between 0 and 1, and the same both ways', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), fc.lorem({ maxCount: 60 }), (a, b) => {
        expect(alike(a, b)).toBe(alike(b, a));
        expect(alike(a, b)).toBeGreaterThanOrEqual(0);
        expect(alike(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('copes with a million shingles that are the same, and with 10 MB', () => {
    const start = processorTime();
    expect(alike('same '.repeat(1_000_000), 'same '.repeat(1_000_005))).toBe(1);
    expect(textSignature(words(0, 1000).repeat(1200)).shingles).toBeGreaterThan(900);
    expect(processorTime() - start).toBeLessThan(15_000);
  }, 20_000);
});
