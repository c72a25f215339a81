import { describe, expect, it } from 'vitest';
import { comparePixels, MASK } from '../../../../src/core/pictures/compare-pixels.ts';
import { differencePicture } from '../../../../src/core/pictures/difference-picture.ts';
import { isWithin, NO_TOLERANCE } from '../../../../src/core/pictures/picture-threshold.ts';
import { drawn } from '../../../support/drawn-pixels.ts';

const SIZE = { width: 200, height: 1200 };
const RED = [200, 0, 0] as const;

describe('two pictures', () => {
  it('that are equal differ in nothing', () => {
    const difference = comparePixels(drawn(SIZE), drawn(SIZE));
    expect(difference).toMatchObject({
      different: 0,
      smoothed: 0,
      uncompared: 0,
      share: 0,
      regions: [],
      regionsTotal: 0,
    });
    expect(isWithin(difference, NO_TOLERANCE)).toBe(true);
  });

  it('differ where they do: each place is a region, the largest first', () => {
    // the second one lies across the border of two bands
    const boxes = [
      { x: 10, y: 20, width: 30, height: 10, colour: RED },
      { x: 100, y: 500, width: 40, height: 30, colour: RED },
    ];
    const { regions, regionsTotal, different, share } = comparePixels(drawn(SIZE), drawn(SIZE, boxes));
    expect(regions).toEqual([
      { x: 100, y: 500, width: 40, height: 30, pixels: 1200 },
      { x: 10, y: 20, width: 30, height: 10, pixels: 300 },
    ]);
    expect([regionsTotal, different]).toEqual([2, 1500]);
    expect(share).toBeCloseTo(1500 / 240_000);
  });

  it('have one region for what is near, as the words of a line are', () => {
    const words = [10, 40, 70].map((x) => ({ x, y: 50, width: 18, height: 9, colour: RED }));
    expect(comparePixels(drawn(SIZE), drawn(SIZE, words)).regions).toEqual([
      { x: 10, y: 50, width: 78, height: 9, pixels: 486 },
    ]);
  });

  it('of different sizes are compared where both are, and the rest is counted', () => {
    const difference = comparePixels(drawn(SIZE), drawn({ width: 180, height: 1300 }));
    expect(difference).toMatchObject({
      common: { width: 180, height: 1200 },
      different: 0,
      uncompared: 20 * 1200 + 180 * 100,
    });
    expect(difference.share).toBeCloseTo(42_000 / (240_000 + 234_000 - 216_000));
    expect(isWithin(difference, NO_TOLERANCE)).toBe(false);
  });

  it('may have edges that are smoothed otherwise, which are told apart', () => {
    const dark = { x: 50, y: 100, width: 60, height: 60, colour: [0, 0, 0] as const };
    // a slope of steps; one picture has half-dark corners
    const steps = Array.from({ length: 30 }, (_, n) => ({
      x: 110,
      y: 100 + n,
      width: n,
      height: 1,
      colour: [0, 0, 0] as const,
    }));
    const corners = steps.map(({ y, width }) => ({
      x: 110 + width,
      y,
      width: 1,
      height: 1,
      colour: [128, 128, 128] as const,
    }));
    const difference = comparePixels(drawn(SIZE, [dark, ...steps]), drawn(SIZE, [dark, ...steps, ...corners]));
    expect(difference.smoothed).toBeGreaterThan(20);
    expect(difference.different).toBeLessThan(5);
    expect(difference.mask.filter((value) => value === MASK.smoothed)).toHaveLength(difference.smoothed);
  });

  it('of no size at all are equal', () => {
    expect(comparePixels(drawn({ width: 0, height: 0 }), drawn({ width: 0, height: 0 })).share).toBe(0);
  });
});

describe('a tolerance', () => {
  const small = comparePixels(drawn(SIZE), drawn(SIZE, [{ x: 0, y: 0, width: 5, height: 4, colour: RED }]));

  it('holds for the share and for each region', () => {
    expect(isWithin(small, NO_TOLERANCE)).toBe(false);
    expect(isWithin(small, { share: 0.001, regionPixels: 20 })).toBe(true);
    expect(isWithin(small, { share: 0.001, regionPixels: 19 })).toBe(false);
    expect(isWithin(small, { share: 0.00001, regionPixels: 20 })).toBe(false);
  });
});

describe('the picture of a difference', () => {
  it('marks what differs, frames it, and shows what only one has', () => {
    const after = drawn({ width: 200, height: 1210 }, [{ x: 50, y: 60, width: 10, height: 10, colour: RED }]);
    const { width, height, data } = differencePicture(after, comparePixels(drawn(SIZE), after));
    const at = (x: number, y: number): readonly number[] => [
      ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
    ];
    expect([width, height]).toEqual([200, 1210]);
    expect(at(55, 65)).toEqual([214, 0, 40]);
    expect(at(46, 65)).toEqual([214, 0, 40]); // the frame
    expect(at(48, 65)).toEqual([255, 255, 255]); // between the two regions
    expect(at(100, 1205)).toEqual([120, 160, 230]);
  });
});
