/** Decides whether a difference of two pictures counts. */
import type { PictureDifference } from './compare-pixels.ts';

/** The difference that is not reported. */
export interface PictureTolerance {
  /** Share of all pixels, 0 to 1. */
  readonly share: number;
  /** Pixels of one region; the part that only one of the pictures has is a region, too. */
  readonly regionPixels: number;
}

/** No pixel may differ, but for smoothed edges. */
export const NO_TOLERANCE: PictureTolerance = { share: 0, regionPixels: 0 };

/** If only one is given, it is the only bound. @param share of all pixels, 0 to 1 @param regionPixels pixels of one region */
export function pictureTolerance(share: number | undefined, regionPixels: number | undefined): PictureTolerance {
  if (share === undefined && regionPixels === undefined) return NO_TOLERANCE;
  return { share: share ?? 1, regionPixels: regionPixels ?? Infinity };
}

/** Both bounds must be kept: a small region is lost in the share of a long page, and many small ones each stay below the other bound. */
export function isWithin(
  { share, regions, uncompared }: Pick<PictureDifference, 'share' | 'regions' | 'uncompared'>,
  tolerance: PictureTolerance,
): boolean {
  const largest = Math.max(uncompared, ...regions.map(({ pixels }) => pixels));
  return share <= tolerance.share && largest <= tolerance.regionPixels;
}
