import { describe, expect, it } from 'vitest';
import { seededRandom, type Random } from '../../../../src/base/random.ts';
import {
  bandingFor,
  candidateProbability,
  equalBytesFor,
  lowBytes,
  similarityOfBytes,
} from '../../../../src/core/fingerprint/banding.ts';
import { COMPONENTS, superMinHash } from '../../../../src/core/fingerprint/minhash.ts';

const PAIRS = 2000;
/** Shingles in the union of the two texts: as of an article, a few times the number of components of a signature. */
const UNION = 400;

interface Figures {
  readonly estimate: number;
  /** Pairs that share a band, for each banding. */
  readonly candidates: readonly number[];
}

const BANDINGS = [0.9, 0.85].map(bandingFor);

function measure(similar: number, random: Random): Figures {
  const fresh = (count: number): number[] => Array.from({ length: count }, () => Math.floor(random() * 2 ** 32));
  const shared = Math.round(UNION * similar);
  const candidates = BANDINGS.map(() => 0);
  let sum = 0;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const common = fresh(shared);
    const [a, b] = [0, 1].map(() => lowBytes(superMinHash([...common, ...fresh((UNION - shared) / 2)])));
    const equal = Array.from(a ?? [], (byte, index) => byte === b?.[index]);
    sum += similarityOfBytes(equal.filter(Boolean).length);
    for (const [index, { bands, rows }] of BANDINGS.entries()) {
      const isShared = Array.from({ length: bands }, (_, band) => equal.slice(band * rows, band * rows + rows));
      if (isShared.some((bytes) => bytes.every(Boolean))) candidates[index] = (candidates[index] ?? 0) + 1;
    }
  }
  return { estimate: sum / PAIRS, candidates };
}

describe('signatures of a byte for each component', () => {
  it.each([0.5, 0.7, 0.8, 0.9, 0.95])(
    'of 2,000 pairs that are %d alike say so without bias, and share a band as often as the formula says',
    (similar) => {
      const { estimate, candidates } = measure(similar, seededRandom(Math.round(similar * 1000)));
      expect(Math.abs(estimate - similar)).toBeLessThan(0.005);
      // two different bytes become equal by chance once in 256
      const agreement = similar + (1 - similar) / 256;
      for (const [index, banding] of BANDINGS.entries()) {
        const expected = candidateProbability(agreement, banding);
        const deviation = Math.sqrt(PAIRS * expected * (1 - expected));
        expect(Math.abs((candidates[index] ?? 0) - PAIRS * expected)).toBeLessThanOrEqual(3 * deviation + 1);
      }
    },
    60_000,
  );

  it.each([
    [1, COMPONENTS],
    [0, 1],
    [0.95, 122],
    [0.9, 116],
  ])('mean a similarity of %d from so many equal ones on: %d', (similar, equal) => {
    expect(equalBytesFor(similar)).toBe(equal);
    expect(similarityOfBytes(equal)).toBeGreaterThanOrEqual(similar - 1e-9);
    if (equal > 1) expect(similarityOfBytes(equal - 1)).toBeLessThan(similar);
  });
});

describe('the bands for a threshold', () => {
  it.each([
    [0.9, 12, 10],
    [0.95, 12, 10],
    [0.85, 16, 8],
  ])('of %d are %d of %d', (threshold, bands, rows) => {
    expect(bandingFor(threshold)).toEqual({ bands, rows });
  });

  it.each([0.5, 0.6, 0.7, 0.76, 0.8, 0.85, 0.9, 0.95, 1])('find 98 of 100 pairs that are %d alike', (threshold) => {
    const banding = bandingFor(threshold);
    expect(candidateProbability(threshold, banding)).toBeGreaterThan(0.98);
    expect(banding.bands * banding.rows).toBeLessThanOrEqual(COMPONENTS);
  });
});
