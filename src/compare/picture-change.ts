/** A reported difference of two screenshots: without known noise, beyond the tolerance, and drawn where that is wanted. */
import { changeMark } from '../core/diff/picture-book.ts';
import { isWithin, type PictureTolerance } from '../core/pictures/picture-threshold.ts';
import { unmasked } from '../core/pictures/unmasked-difference.ts';
import type { ScreenshotComparison } from '../inspect/pictures/compare-screenshots.ts';
import type { PictureChange } from '../model/picture-change.ts';
import type { DrawnPictures } from './drawn-pictures.ts';

type DifferentScreenshots = Extract<ScreenshotComparison, { kind: 'different' }>;

/** A place of a picture, as noise names it. */
interface Place {
  readonly selector: string | null;
}

/** Regions that a report lists of a picture. */
const LISTED = 20;
/** The name, as noise, of the area that only one of the pictures has. */
const SIZE: Place = { selector: '(size)' };

interface PictureFrame {
  readonly url: string;
  readonly viewport: string;
  /** Path of the later picture in the crawl folder; null where it is no file. */
  readonly afterPath: string | null;
  readonly tolerance: PictureTolerance;
  /** Null where nothing is drawn. */
  readonly drawn: DrawnPictures | null;
  /** The places that are no known noise. */
  readonly openPlaces: <Some extends Place>(places: readonly Some[]) => readonly Some[];
}

/** @returns null where all differences are known noise. @throws {CrawlError} OUTPUT_UNUSABLE, DISK_FULL of what is drawn */
export async function pictureChange(
  { difference, files, draw }: DifferentScreenshots,
  { url, viewport, afterPath, tolerance, drawn, openPlaces }: PictureFrame,
): Promise<PictureChange | null> {
  const { regions, regionsTotal, uncompared } = difference;
  // the elements beyond the listed regions are unknown: they are noise only where the whole facet is
  if (regionsTotal > regions.length && openPlaces([{ selector: null }]).length === 0) return null;
  const isSizeNoise = uncompared > 0 && openPlaces([SIZE]).length === 0;
  const left = unmasked(difference, openPlaces(regions), isSizeNoise);
  if (left.share === 0 || isWithin(left, tolerance)) return null;
  const sizes = [difference.before, difference.after];
  const change = { viewport, ...left, regions: left.regions.slice(0, LISTED), sizes };
  const pair = drawn === null ? null : await drawn.add({ ...files, afterPath, mark: changeMark(change) }, draw);
  return {
    ...{ ...change, url, before: pair?.before ?? null },
    ...{ after: afterPath ?? pair?.after ?? null, difference: pair?.difference ?? null },
  };
}
