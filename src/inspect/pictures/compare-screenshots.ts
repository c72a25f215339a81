/** Compares the stored screenshots of two pages of two crawls, viewport by viewport, one at a time: pictures are large. */
import { decodeJpeg, type DecodedJpeg } from '../../base/decode-jpeg.ts';
import { decodePng, type DecodedPng } from '../../base/decode-png.ts';
import { encodePng } from '../../base/encode-png.ts';
import { comparePixels, type PictureDifference } from '../../core/pictures/compare-pixels.ts';
import { differencePicture } from '../../core/pictures/difference-picture.ts';
import { elementOfRegion } from '../../core/pictures/element-of-region.ts';
import type { PictureRegion } from '../../core/pictures/picture-regions.ts';
import { isWithin, type PictureTolerance } from '../../core/pictures/picture-threshold.ts';
import { isPng } from '../../model/picture-type.ts';
import type { PageScreenshots } from './page-screenshots.ts';

/** The most pixels of a picture: 1,920 times the 16,384 that a screenshot may be high. A comparison of two such pictures takes some 400 MB. */
const PIXELS_READ = 32_000_000;
/** The most pixels of a JPEG, which takes more memory for each. */
const JPEG_PIXELS_READ = 16_000_000;

interface DifferentRegion extends PictureRegion {
  /** Selector of the smallest element of the later page that contains it; null where it is not known. */
  readonly selector: string | null;
}

export type ScreenshotComparison = {
  /** `375x812` for a further viewport; `first` for that of the crawl. */
  readonly viewport: string;
} & (
  | { readonly kind: 'same' }
  | {
      readonly kind: 'different';
      readonly difference: Omit<PictureDifference, 'mask' | 'regions'> & {
        readonly regions: readonly DifferentRegion[];
      };
      /** Is it within the tolerance? */
      readonly tolerated: boolean;
      /** Draws it as a PNG. The pictures are held until this is let go. */
      readonly draw: () => Uint8Array;
      /** The files as they were read. */
      readonly files: { readonly before: Uint8Array; readonly after: Uint8Array };
      /** Is one of both a JPEG, whose losses differ around any change? */
      readonly isLossy: boolean;
    }
  /** `no-before`, `no-after`: only one page has a picture in that window. */
  | { readonly kind: 'not-compared'; readonly why: 'no-before' | 'no-after' | 'too-large' | 'unreadable' }
);

/**
 * @param before null where the page has no picture at all, as is `after`
 * @returns one after the other, so that no more than two pictures are in memory; nothing where neither page has any
 * @throws {CrawlError} CRAWL_UNREADABLE where a record names a file outside of its crawl folder, ARCHIVE_DAMAGED
 */
export async function* compareScreenshots(
  before: PageScreenshots | null,
  after: PageScreenshots | null,
  tolerance: PictureTolerance,
): AsyncGenerator<ScreenshotComparison> {
  const windows = [before, after].flatMap((side) => [...(side?.windows.keys() ?? [])]);
  for (const viewport of new Set(windows))
    yield { viewport, ...(await compared({ before, after, tolerance }, viewport)) };
}

interface Asked {
  readonly before: PageScreenshots | null;
  readonly after: PageScreenshots | null;
  readonly tolerance: PictureTolerance;
}

type Verdict = ScreenshotComparison extends infer Kind
  ? Kind extends unknown
    ? Omit<Kind, 'viewport'>
    : never
  : never;

async function compared({ before, after, tolerance }: Asked, viewport: string): Promise<Verdict> {
  const old = (await before?.windows.get(viewport)?.read()) ?? null;
  const now = (await after?.windows.get(viewport)?.read()) ?? null;
  if (now === null) return { kind: 'not-compared', why: 'no-after' };
  if (old === null) return { kind: 'not-compared', why: 'no-before' };
  if (Buffer.compare(old, now) === 0) return { kind: 'same' };
  const decodedOld = decodePicture(old);
  if (decodedOld.kind === 'refused') return refusal(decodedOld.why);
  const decodedNow = decodePicture(now);
  if (decodedNow.kind === 'refused') return refusal(decodedNow.why);
  const found = comparePixels(decodedOld.pixels, decodedNow.pixels);
  if (found.different + found.smoothed + found.uncompared === 0) return { kind: 'same' };
  const { mask: _, regions, ...figures } = found;
  const boxes = (await after?.boxes(viewport)) ?? [];
  const named = regions.map((region) => ({ ...region, selector: elementOfRegion(region, boxes) }));
  return {
    kind: 'different',
    difference: { ...figures, regions: named },
    tolerated: isWithin(found, tolerance),
    draw: () => encodePng(differencePicture(decodedNow.pixels, found)),
    files: { before: old, after: now },
    isLossy: !isPng(old) || !isPng(now),
  };
}

function decodePicture(file: Uint8Array): DecodedPng | DecodedJpeg {
  return isPng(file) ? decodePng(file, PIXELS_READ) : decodeJpeg(file, JPEG_PIXELS_READ);
}

function refusal(why: Extract<DecodedPng | DecodedJpeg, { kind: 'refused' }>['why']): Verdict {
  return { kind: 'not-compared', why: why === 'too-large' ? 'too-large' : 'unreadable' };
}
