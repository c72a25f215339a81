/** Is a difference of two pictures one that counts? */
import type { PictureDifference } from './compare-pixels.ts';

/** What may differ without being said. */
export interface PictureTolerance {
  /** Of all pixels, 0 to 1. */
  readonly share: number;
  /** Pixels of one region; what only one of the pictures has is a region, too. */
  readonly regionPixels: number;
}

/** No pixel may differ, but for smoothed edges. */
export const NO_TOLERANCE: PictureTolerance = { share: 0, regionPixels: 0 };

/** What is given alone is the only bound. @param share of all pixels, 0 to 1 @param regionPixels pixels of one region */
export function pictureTolerance(share: number | undefined, regionPixels: number | undefined): PictureTolerance {
  if (share === undefined && regionPixels === undefined) return NO_TOLERANCE;
  return { share: share ?? 1, regionPixels: regionPixels ?? Infinity };
}

/** Both must be kept: a small region is lost in the share of a long page, and many small ones are none by themselves. */
export function isWithin(
  { share, regions, uncompared }: Pick<PictureDifference, 'share' | 'regions' | 'uncompared'>,
  tolerance: PictureTolerance,
): boolean {
  const largest = Math.max(uncompared, ...regions.map(({ pixels }) => pixels));
  return share <= tolerance.share && largest <= tolerance.regionPixels;
}
