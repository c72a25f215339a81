/** Compares the stored screenshots of two pages of two crawls, viewport by viewport, one at a time: pictures are large. */
import { decodePng, type DecodedPng } from '../../base/decode-png.ts';
import { encodePng } from '../../base/encode-png.ts';
import { CrawlError } from '../../base/errors.ts';
import { comparePixels, type PictureDifference } from '../../core/pictures/compare-pixels.ts';
import { differencePicture } from '../../core/pictures/difference-picture.ts';
import { elementOfRegion } from '../../core/pictures/element-of-region.ts';
import type { PictureRegion } from '../../core/pictures/picture-regions.ts';
import { isWithin, type PictureTolerance } from '../../core/pictures/picture-threshold.ts';
import { FIRST_VIEWPORT, readBoxes } from '../../crawl-folder/element-boxes-file.ts';
import { readStoredFile } from '../../crawl-folder/stored-file.ts';
import type { StoredPage } from '../../crawl-folder/stored-lines.ts';

/** Pixels of a picture that is read: 1,920 times the 16,384 that a screenshot may be high. It takes some 400 MB to compare two of them. */
const PIXELS_READ = 32_000_000;

/** Where the pictures of a page lie in its folder. */
export type StoredPictures = Pick<StoredPage['snapshot'], 'screenshot' | 'screenshots' | 'boxes'>;

/** A page of a crawl folder, or of a baseline. */
interface StoredPicturePage {
  readonly folder: string;
  readonly page: { readonly snapshot: StoredPictures };
}

interface DifferentRegion extends PictureRegion {
  /** Of the smallest element of the later page that contains it; null where that is not known. */
  readonly selector: string | null;
}

export type ScreenshotComparison = {
  /** `375x812` of a further viewport; `first` for that of the crawl. */
  readonly viewport: string;
  /** Paths in the crawl folders; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
} & (
  | { readonly kind: 'same' }
  | {
      readonly kind: 'different';
      readonly difference: Omit<PictureDifference, 'mask' | 'regions'> & {
        readonly regions: readonly DifferentRegion[];
      };
      /** Is it within what may differ? */
      readonly tolerated: boolean;
      /** Draws it as a PNG. The pictures are held until this is let go. */
      readonly draw: () => Uint8Array;
    }
  /** `missing`: one crawl has none. `jpeg`: only pictures without loss can be compared (`--deterministic`). */
  | { readonly kind: 'not-compared'; readonly why: 'missing' | 'jpeg' | 'too-large' | 'unreadable' }
);

/**
 * @returns one after the other, so that no more than two pictures are in memory; nothing where neither page has any
 * @throws {CrawlError} CRAWL_UNREADABLE where a record names a file outside of its crawl folder
 */
export async function* compareScreenshots(
  before: StoredPicturePage,
  after: StoredPicturePage,
  tolerance: PictureTolerance,
): AsyncGenerator<ScreenshotComparison> {
  const [old, now] = [picturesOf(before), picturesOf(after)];
  for (const viewport of new Set([...old.keys(), ...now.keys()])) {
    const paths = { before: old.get(viewport) ?? null, after: now.get(viewport) ?? null };
    yield { viewport, ...paths, ...(await compared({ before, after, tolerance }, viewport, paths)) };
  }
}

function picturesOf({ page: { snapshot } }: StoredPicturePage): ReadonlyMap<string, string> {
  const further = Object.entries(snapshot.screenshots ?? {});
  return new Map([
    ...(snapshot.screenshot === null ? [] : [[FIRST_VIEWPORT, snapshot.screenshot] as const]),
    ...further,
  ]);
}

interface Asked {
  readonly before: StoredPicturePage;
  readonly after: StoredPicturePage;
  readonly tolerance: PictureTolerance;
}

type Verdict = ScreenshotComparison extends infer Kind
  ? Kind extends unknown
    ? Omit<Kind, 'viewport' | 'before' | 'after'>
    : never
  : never;

async function compared(
  { before, after, tolerance }: Asked,
  viewport: string,
  paths: { readonly before: string | null; readonly after: string | null },
): Promise<Verdict> {
  if (paths.before === null || paths.after === null) return { kind: 'not-compared', why: 'missing' };
  const [old, now] = [await contentOf(before.folder, paths.before), await contentOf(after.folder, paths.after)];
  if (old === null || now === null) return { kind: 'not-compared', why: 'missing' };
  if (Buffer.compare(old, now) === 0) return { kind: 'same' };
  const [decodedOld, decodedNow] = [decodePng(old, PIXELS_READ), decodePng(now, PIXELS_READ)];
  if (decodedOld.kind === 'refused') return refusal(decodedOld.why);
  if (decodedNow.kind === 'refused') return refusal(decodedNow.why);
  const found = comparePixels(decodedOld.pixels, decodedNow.pixels);
  if (found.different + found.smoothed + found.uncompared === 0) return { kind: 'same' };
  const { mask: _, regions, ...figures } = found;
  const boxes = await boxesOf(after, viewport);
  const named = regions.map((region) => ({ ...region, selector: elementOfRegion(region, boxes) }));
  return {
    kind: 'different',
    difference: { ...figures, regions: named },
    tolerated: isWithin(found, tolerance),
    draw: () => encodePng(differencePicture(decodedNow.pixels, found)),
  };
}

function refusal(why: Extract<DecodedPng, { kind: 'refused' }>['why']): Verdict {
  if (why === 'not-png') return { kind: 'not-compared', why: 'jpeg' };
  return { kind: 'not-compared', why: why === 'too-large' ? 'too-large' : 'unreadable' };
}

/** Null where it is not there any more. */
async function contentOf(folder: string, path: string): Promise<Uint8Array | null> {
  try {
    return (await readStoredFile(folder, path)).content;
  } catch (error) {
    if (error instanceof CrawlError && error.code === 'NOT_STORED') return null;
    throw error;
  }
}

async function boxesOf(
  { folder, page: { snapshot } }: StoredPicturePage,
  viewport: string,
): Promise<ReturnType<typeof readBoxes>> {
  const content = snapshot.boxes === undefined ? null : await contentOf(folder, snapshot.boxes);
  return content === null ? [] : readBoxes(Buffer.from(content).toString('utf8'), viewport);
}
