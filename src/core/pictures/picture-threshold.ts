/** Is a difference of two pictures one that counts? */
import type { PictureDifference } from './compare-pixels.ts';

/** What may differ without being said. */
export interface PictureTolerance {
  /** Of all pixels, 0 to 1. */
  readonly share: number;
  /** Pixels of one region. */
  readonly regionPixels: number;
}

/** No pixel may differ, but for smoothed edges. */
export const NO_TOLERANCE: PictureTolerance = { share: 0, regionPixels: 0 };

/** Both must be kept: a small region is lost in the share of a long page, and many small ones are none by themselves. */
export function isWithin(
  { share, regions, uncompared }: Pick<PictureDifference, 'share' | 'regions' | 'uncompared'>,
  tolerance: PictureTolerance,
): boolean {
  const largest = Math.max(0, ...regions.map(({ pixels }) => pixels));
  return share <= tolerance.share && largest <= tolerance.regionPixels && (uncompared === 0 || tolerance.share > 0);
}
